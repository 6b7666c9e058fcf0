#include <algorithm>
#include <vector>

#include "device/cuda/check.cuh"
#include "device/cuda/circuit_arrays.cuh"
#include "device/cuda/device_circuit.hpp"
#include "r1cs/definition_chains.hpp"

namespace proofline::cuda {

using std::uint32_t;
using std::uint64_t;

namespace {

/// The arrays of a circuit on the host.
struct HostCircuit {
  std::vector<TemplateArrays> templates;
  std::vector<PlacementArrays> placements;
  std::vector<uint32_t> row_placements, part_begins;
  std::vector<DeviceOp> ops;
  std::vector<uint32_t> stored_places;
  std::vector<r1cs::Definition> definitions;
  std::vector<Chain> chains;
  std::vector<BitRun> bit_runs;
  std::vector<FieldRun> field_runs;
  std::vector<math::Fr> coefficients, small_values;
  uint64_t bit_words = 0, num_fields = 0;
};

uint32_t narrow(uint64_t value) {
  if (value >= uint64_t{1} << 31) throw InputError("circuit too large for the device's 31-bit places");
  return static_cast<uint32_t>(value);
}

void append_rows(const r1cs::Template& t, HostCircuit& out) {
  const uint32_t first_op = narrow(out.ops.size() + t.ops.size()) - static_cast<uint32_t>(t.ops.size());
  for (std::size_t part = 0; part < t.part_ends.size(); ++part) {
    const uint32_t begin = first_op + (part == 0 ? 0 : t.part_ends[part - 1]);
    out.part_begins.push_back(begin | (t.small.get(part) ? kSmall : 0));
  }
  out.part_begins.push_back(first_op + static_cast<uint32_t>(t.ops.size()));
  for (const r1cs::Op& op : t.ops) out.ops.push_back({op.operand.raw(), op.coefficient});
}

void append_stored_places(const r1cs::Template& t, HostCircuit& out) {
  auto derived = t.derived.begin();
  for (uint32_t place = 0; place < t.local_fields.size(); ++place) {
    if (derived != t.derived.end() && *derived == place) {
      ++derived;
    } else {
      out.stored_places.push_back(t.outer_fields + place);
    }
  }
}

/// Chains of the template, of no placement yet.
std::vector<Chain> append_definitions(const r1cs::Template& t, HostCircuit& out) {
  std::vector<Chain> chains;
  for (const std::vector<r1cs::Definition>& chain : r1cs::definition_chains(t)) {
    chains.push_back({0, narrow(out.definitions.size()), narrow(chain.size())});
    out.definitions.insert(out.definitions.end(), chain.begin(), chain.end());
  }
  return chains;
}

void append_outer_runs(const r1cs::StructuredR1cs& circuit, const r1cs::Placement& p, HostCircuit& out) {
  uint64_t bit = 32 * out.bit_words + 1;
  for (const r1cs::VariableRun& run : circuit.outer_bit_runs(p)) {
    out.bit_runs.push_back({bit, run.first.index(), run.count});
    bit += run.count;
  }
  uint64_t field = out.num_fields;
  for (const r1cs::VariableRun& run : circuit.outer_field_runs(p)) {
    const bool input = run.first.is_input();
    const std::size_t from = input ? run.first.index() : circuit.kinds->stored_rank(run.first.index());
    out.field_runs.push_back({narrow(field), narrow(from), run.count, input ? 1U : 0U});
    field += run.count;
  }
}

HostCircuit flatten(const r1cs::StructuredR1cs& circuit) {
  HostCircuit out;
  std::vector<std::vector<Chain>> chains;  // a template
  for (const r1cs::Template& t : circuit.templates) {
    out.templates.push_back({
        .first_part = narrow(out.part_begins.size()),
        .outer_bits = t.outer_bits,
        .num_aux = t.num_aux,
        .outer_fields = t.outer_fields,
        .first_stored = narrow(out.stored_places.size()),
        .num_stored = t.num_stored(),
    });
    append_rows(t, out);
    append_stored_places(t, out);
    chains.push_back(append_definitions(t, out));
  }
  for (const r1cs::Placement& p : circuit.placements) {
    const r1cs::Template& t = circuit.template_of(p);
    while (out.row_placements.size() * uint64_t{kBlockRows} < p.row_base + t.num_rows())
      out.row_placements.push_back(narrow(out.placements.size()));
    for (Chain chain : chains[p.template_index]) {
      chain.placement = narrow(out.placements.size());
      out.chains.push_back(chain);
    }
    out.placements.push_back({
        .row_base = p.row_base,
        .template_index = p.template_index,
        .aux_base = p.aux_base,
        .field_base = p.field_base,
        .bits_at = narrow(out.bit_words),
        .fields_at = narrow(out.num_fields),
    });
    append_outer_runs(circuit, p, out);
    out.bit_words += (t.num_bit_slots() + 31) / 32;
    out.num_fields += t.num_field_slots();
  }
  // The longest begin first, and chains of one length, mostly equal ones, work side by side.
  std::stable_sort(out.chains.begin(), out.chains.end(),
                   [](const Chain& a, const Chain& b) { return a.count > b.count; });
  out.bit_words += 2;  // a run may be read beyond its last word
  narrow(out.bit_words);
  narrow(out.num_fields);
  out.coefficients = circuit.coefficients;
  for (int i = -kLargestSmall; i <= kLargestSmall; ++i) {
    const math::Fr size = math::Fr::from_u64(static_cast<uint64_t>(i < 0 ? -i : i));
    out.small_values.push_back(i < 0 ? -size : size);
  }
  return out;
}

template <class T>
std::size_t bytes_of(const std::vector<T>& values) {
  return Arena::rounded(values.size() * sizeof(T));
}

}  // namespace

std::size_t circuit_device_bytes(const r1cs::StructuredR1cs& circuit) {
  const HostCircuit h = flatten(circuit);
  return bytes_of(h.templates) + bytes_of(h.placements) + bytes_of(h.row_placements) + bytes_of(h.part_begins) +
         bytes_of(h.ops) + bytes_of(h.stored_places) + bytes_of(h.definitions) + bytes_of(h.chains) +
         bytes_of(h.bit_runs) + bytes_of(h.field_runs) + bytes_of(h.coefficients) + bytes_of(h.small_values) +
         Arena::rounded(sizeof(CircuitArrays));
}

DeviceCircuit enqueue_circuit(const r1cs::StructuredR1cs& circuit, Arena& arena, Stream stream) {
  const HostCircuit h = flatten(circuit);
  // From pageable memory: each copy is staged before the call returns.
  const auto upload = [&]<class T>(const std::vector<T>& values) {
    T* const at = arena.take<T>(values.size()).data();
    check(cudaMemcpyAsync(at, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice, stream),
          "upload of a circuit");
    return at;
  };
  const CircuitArrays arrays = {
      .templates = upload(h.templates),
      .placements = upload(h.placements),
      .row_placements = upload(h.row_placements),
      .part_begins = upload(h.part_begins),
      .ops = upload(h.ops),
      .stored_places = upload(h.stored_places),
      .definitions = upload(h.definitions),
      .chains = upload(h.chains),
      .bit_runs = upload(h.bit_runs),
      .field_runs = upload(h.field_runs),
      .coefficients = reinterpret_cast<const Fr*>(upload(h.coefficients)),
      .small_values = reinterpret_cast<const Fr*>(upload(h.small_values)),
  };
  return {
      .arrays = upload(std::vector<CircuitArrays>{arrays}),
      .num_rows = circuit.num_constraints,
      .bit_words = h.bit_words,
      .num_fields = h.num_fields,
      .num_inputs = circuit.num_inputs,
      .num_aux = circuit.num_aux(),
      .num_stored = static_cast<uint32_t>(circuit.kinds->num_stored()),
      .placements = static_cast<uint32_t>(h.placements.size()),
      .bit_runs = static_cast<uint32_t>(h.bit_runs.size()),
      .field_runs = static_cast<uint32_t>(h.field_runs.size()),
      .chains = static_cast<uint32_t>(h.chains.size()),
  };
}

}  // namespace proofline::cuda
