#include "cli/circuit_source.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/units.hpp"
#include "filecoin/porep_circuit.hpp"
#include "r1cs/circuit_file.hpp"
#include "r1cs/recorder.hpp"
#include "r1cs/row_digest.hpp"

namespace proofline::cli {
namespace {

/// ONE, replica_id, comm_d, comm_r, and 18 for each challenge.
std::uint64_t porep_inputs(const filecoin::SectorShape& sector) {
  return 4 + 18 * std::uint64_t{sector.challenges_per_partition};
}

/// Reports how many of the public inputs have been allocated: they are spread evenly over the challenges.
class InputProgress final : public r1cs::RowSink {
 public:
  InputProgress(Progress& progress, std::uint64_t total) : progress_(progress), total_(total) {}
  void row(const r1cs::Builder& builder, const r1cs::Row&) override {
    if (builder.num_constraints() % (1 << 16) == 0) progress_.report("record circuit", builder.num_inputs(), total_);
  }

 private:
  Progress& progress_;
  std::uint64_t total_;
};

}  // namespace

r1cs::StructuredR1cs porep_structure(const filecoin::SectorShape& sector, const std::string& file, Progress& progress) {
  if (!file.empty()) {
    r1cs::StructuredR1cs out = r1cs::load_circuit(file);
    if (out.num_inputs != porep_inputs(sector)) {
      throw InputError(fmt::format("{}: a circuit with {} inputs; the porep circuit of {} sectors has {}", file,
                                   format_count(out.num_inputs), sector.name, format_count(porep_inputs(sector))));
    }
    return out;
  }
  r1cs::CircuitRecorder recorder;
  InputProgress inputs(progress, porep_inputs(sector));
  r1cs::RowTee tee({&recorder, &inputs});
  r1cs::Builder builder(&tee, r1cs::Keep::kNothing);
  filecoin::porep_shape_circuit(sector)(builder);
  return recorder.finish(builder);
}

}  // namespace proofline::cli
