#include "cli/circuit_source.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/error.hpp"
#include "base/units.hpp"
#include "r1cs/circuit_file.hpp"

namespace proofline::cli {

r1cs::StructuredR1cs circuit_from(filecoin::CircuitKind kind, const filecoin::SectorShape& sector,
                                  const std::string& file, Progress& progress) {
  if (file.empty()) return filecoin::record_circuit(kind, sector, progress);
  r1cs::StructuredR1cs out = r1cs::load_circuit(file);
  const std::uint64_t inputs = filecoin::circuit_inputs(kind, sector);
  if (out.num_inputs != inputs) {
    throw InputError(fmt::format("{}: a circuit with {} inputs; the {} circuit of {} sectors has {}", file,
                                 format_count(out.num_inputs), filecoin::circuit_kind_name(kind), sector.name,
                                 format_count(inputs)));
  }
  return out;
}

void add_circuit_kind(CLI::App& app, std::string& name) {
  const auto names = filecoin::circuit_kind_names();
  app.add_option("--proof", name, "Kind of proof: porep, winning-post, window-post or update")
      ->capture_default_str()
      ->check(CLI::IsMember(std::vector<std::string>(names.begin(), names.end())))
      ->type_name("KIND");
}

}  // namespace proofline::cli
