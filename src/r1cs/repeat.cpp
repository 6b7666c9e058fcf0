#include "r1cs/repeat.hpp"

#include <string>

#include "base/error.hpp"

namespace proofline::r1cs {
namespace {

constexpr std::uint64_t kMaxVariables = std::uint64_t{1} << 31;

VariableRun shifted(const VariableRun& run, std::uint32_t inputs, std::uint32_t aux) {
  const Variable first =
      run.first.is_input() ? Variable::input(run.first.index() + inputs) : Variable::aux(run.first.index() + aux);
  return {first, run.count};
}

}  // namespace

StructuredR1cs repeat(const StructuredR1cs& part, std::uint32_t count, std::string_view name) {
  const std::uint32_t inputs_each = part.num_inputs - 1, aux_each = part.num_aux();
  const auto fields_each = static_cast<std::uint32_t>(part.kinds->num_stored());
  if (count == 0 || std::uint64_t{aux_each} * count >= kMaxVariables ||
      std::uint64_t{inputs_each} * count + 1 >= kMaxVariables) {
    throw InputError(std::to_string(count) + " times a circuit of " + std::to_string(aux_each) +
                     " variables; expected at least once and fewer than 2^31 variables in all");
  }
  StructuredR1cs out;
  out.num_inputs = 1 + inputs_each * count;
  out.num_constraints = part.num_constraints * count;
  out.coefficients = part.coefficients;
  out.templates = part.templates;
  out.paths = part.paths;
  out.placements.reserve(part.placements.size() * count);
  out.outer_runs.reserve(part.outer_runs.size() * count);
  VariableKinds kinds;
  kinds.reserve(std::size_t{aux_each} * count);
  for (std::uint32_t copy = 0; copy < count; ++copy) {
    const std::string scope = std::string(name) + "[" + std::to_string(copy) + "]";
    const auto runs = static_cast<std::uint32_t>(out.outer_runs.size());
    for (const VariableRun& run : part.outer_runs) {
      out.outer_runs.push_back(shifted(run, copy * inputs_each, copy * aux_each));
    }
    for (Placement placement : part.placements) {
      const std::string& below = part.paths[placement.path];
      placement.path = static_cast<std::uint32_t>(out.paths.size());
      out.paths.push_back(below.empty() ? scope : scope + "/" + below);
      placement.row_base += copy * part.num_constraints;
      placement.aux_base += copy * aux_each;
      placement.field_base += copy * fields_each;
      placement.first_run += runs;
      placement.first_field_run += runs;
      placement.end_run += runs;
      out.placements.push_back(placement);
    }
    kinds.append(*part.kinds);
  }
  kinds.shrink_to_fit();
  out.kinds = std::make_shared<const VariableKinds>(std::move(kinds));
  derive_uses(out);
  return out;
}

}  // namespace proofline::r1cs
