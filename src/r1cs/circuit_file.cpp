#include "r1cs/circuit_file.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "base/byte_reader.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/sha256.hpp"

namespace proofline::r1cs {
namespace {

using math::Fr;

static_assert(std::endian::native == std::endian::little);
static_assert(sizeof(Op) == 8 && sizeof(PathChange) == 8);

constexpr std::string_view kMagic = "PLR1CS";
constexpr std::uint16_t kVersion = 2;
constexpr std::uint32_t kAuxFlag = 0x80000000U;

class Writer {
 public:
  void bytes(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::uint8_t*>(data);
    out_.insert(out_.end(), first, first + size);
  }
  template <class T>
  void number(T value) {
    bytes(&value, sizeof value);
  }
  void count(std::size_t size) { number(static_cast<std::uint32_t>(size)); }
  template <class T>
  void list(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    count(values.size());
    bytes(values.data(), values.size() * sizeof(T));
  }
  void runs(std::span<const VariableRun> runs) {
    count(runs.size());
    for (const VariableRun& run : runs) {
      number(run.first.index() | (run.first.is_aux() ? kAuxFlag : 0U));
      number(run.count);
    }
  }
  const std::vector<std::uint8_t>& out() const { return out_; }

 private:
  std::vector<std::uint8_t> out_;
};

/// Reads and checks. What is wrong is told with the file's name.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : file_(path), name_(path.string()), left_(file_.bytes()) {}

  StructuredR1cs read() {
    check_frame();
    StructuredR1cs out;
    out.num_inputs = number<std::uint32_t>("inputs");
    require(out.num_inputs >= 1, "no inputs");
    const auto num_constraints = number<std::uint64_t>("constraints");
    const auto num_aux = number<std::uint32_t>("aux variables");
    require(num_aux < kAuxFlag && out.num_inputs < kAuxFlag, "too many variables");
    read_coefficients(out);
    for (std::size_t i = 0, count = list_size(4, "paths"); i < count; ++i) {
      const std::size_t size = list_size(1, "path");
      const auto text = take(left_, size, name_, "path");
      out.paths.emplace_back(reinterpret_cast<const char*>(text.data()), size);
    }
    for (std::size_t i = 0, count = list_size(32, "templates"); i < count; ++i) read_template(out);
    VariableKinds kinds;
    kinds.reserve(num_aux);
    for (std::size_t i = 0, count = list_size(16, "placements"); i < count; ++i) read_placement(out, kinds);
    require(left_.empty(), "bytes behind the last placement");
    require(out.num_constraints == num_constraints && kinds.size() == num_aux,
            "placements do not add up to the numbers of constraints and aux variables");
    out.kinds = std::make_shared<const VariableKinds>(std::move(kinds));
    derive_uses(out);
    return out;
  }

 private:
  void require(bool good, const std::string& what) const {
    if (!good) throw InputError(name_ + ": not a valid circuit file: " + what);
  }

  void check_frame() {
    const std::span<const std::uint8_t> all = left_;
    const auto magic = take(left_, kMagic.size(), name_, "magic");
    require(std::equal(magic.begin(), magic.end(), kMagic.begin()), "it does not begin with PLR1CS");
    const auto version = number<std::uint16_t>("version");
    if (version != kVersion) {
      throw InputError(name_ + ": circuit file of version " + std::to_string(version) + ", this program reads " +
                       std::to_string(kVersion) + "; make it again");
    }
    if (left_.size() < sizeof(Sha256Digest)) take(left_, sizeof(Sha256Digest), name_, "checksum");
    const auto sum = all.last(sizeof(Sha256Digest));
    const Sha256Digest actual = sha256(all.first(all.size() - sum.size()));
    require(std::equal(sum.begin(), sum.end(), actual.begin()), "its checksum is wrong, the file is damaged");
    left_ = left_.first(left_.size() - sum.size());
  }

  template <class T>
  T number(const char* what) {
    T out;
    std::memcpy(&out, take(left_, sizeof out, name_, what).data(), sizeof out);
    return out;
  }
  /// A count of elements that take at least `size` bytes each.
  std::size_t list_size(std::size_t size, const char* what) {
    const auto count = number<std::uint32_t>(what);
    require(count <= left_.size() / size, std::string("more ") + what + " than the file has room for");
    return count;
  }
  template <class T>
  std::vector<T> list(const char* what) {
    std::vector<T> out(list_size(sizeof(T), what), T{});
    if (!out.empty())
      std::memcpy(out.data(), take(left_, out.size() * sizeof(T), name_, what).data(), out.size() * sizeof(T));
    return out;
  }

  void read_coefficients(StructuredR1cs& out) {
    const std::size_t count = list_size(Fr::kBytes, "coefficients");
    require(count >= StructuredR1cs::kSmallCoefficients, "too few coefficients");
    for (std::size_t i = 0; i < count; ++i) {
      const auto bytes = take(left_, Fr::kBytes, name_, "coefficients");
      const auto value = Fr::from_bytes(bytes.first<Fr::kBytes>());
      require(value && !value->is_zero(), "coefficient " + std::to_string(i) + " is zero or not canonical");
      out.coefficients.push_back(*value);
    }
    for (std::uint32_t id = 0; id < StructuredR1cs::kSmallCoefficients; ++id) {
      const int small = StructuredR1cs::small_coefficient(id);
      const Fr magnitude = Fr::from_u64(static_cast<std::uint64_t>(small < 0 ? -small : small));
      require(out.coefficients[id] == (small < 0 ? -magnitude : magnitude),
              "the first coefficients are not the small ones");
    }
  }

  void read_template(StructuredR1cs& out) {
    const std::string where = "template " + std::to_string(out.templates.size()) + ": ";
    Template t;
    t.num_aux = number<std::uint32_t>("template");
    t.outer_bits = number<std::uint32_t>("template");
    t.outer_fields = number<std::uint32_t>("template");
    require(std::uint64_t{t.num_aux} + t.outer_bits + t.outer_fields < Operand::kMaxSlot, where + "too many variables");
    t.local_fields = list<std::uint32_t>("local field elements");
    for (std::size_t i = 0; i < t.local_fields.size(); ++i) {
      require(t.local_fields[i] < t.num_aux && (i == 0 || t.local_fields[i - 1] < t.local_fields[i]),
              where + "local field elements out of order");
    }
    t.derived = list<std::uint32_t>("derived variables");
    for (std::size_t i = 0; i < t.derived.size(); ++i) {
      require(t.derived[i] < t.local_fields.size() && (i == 0 || t.derived[i - 1] < t.derived[i]),
              where + "derived variables out of order");
    }
    t.part_ends = list<std::uint32_t>("part ends");
    t.ops.reserve(list_size(sizeof(Op), "operations"));
    for (std::size_t i = 0, count = t.ops.capacity(); i < count; ++i) {
      const auto operand = Operand::from_raw(number<std::uint32_t>("operations"));
      t.ops.push_back({operand, number<std::uint32_t>("operations")});
    }
    check_rows(t, out, where);
    for (std::size_t i = 0, count = list_size(sizeof(PathChange), "path changes"); i < count; ++i) {
      const auto row = number<std::uint32_t>("path changes");
      t.paths.push_back({row, number<std::uint32_t>("path changes")});
      require(row < t.num_rows() && t.paths.back().path < out.paths.size() && (i == 0 || t.paths[i - 1].row < row),
              where + "path changes out of order");
    }
    derive(t);
    require(t.is_defined(), where + "a derived variable that no row defines");
    out.templates.push_back(std::move(t));
  }

  void check_rows(const Template& t, const StructuredR1cs& out, const std::string& where) const {
    require(t.part_ends.size() % 3 == 0, where + "a row without its three parts");
    std::uint32_t begin = 0;
    for (const std::uint32_t end : t.part_ends) {
      require(begin <= end && end <= t.ops.size(), where + "part ends out of order");
      std::uint32_t next_bit = 0, next_field = 0;
      for (; begin < end; ++begin) {
        const Op& op = t.ops[begin];
        const std::uint32_t slot = op.operand.slot();
        require(op.coefficient < out.coefficients.size(), where + "unknown coefficient");
        if (op.operand.is_field()) {
          require(op.operand == Operand::field(slot) && slot >= next_field && slot < t.num_field_slots(),
                  where + "operands out of order");
          next_field = slot + 1;
        } else {
          require(next_field == 0 && slot >= next_bit && slot + op.operand.length() <= t.num_bit_slots(),
                  where + "operands out of order");
          next_bit = slot + op.operand.length();
        }
      }
    }
    require(begin == t.ops.size(), where + "operations behind the last row");
  }

  void read_placement(StructuredR1cs& out, VariableKinds& kinds) {
    const std::string where = "placement " + std::to_string(out.placements.size()) + ": ";
    Placement placement;
    placement.template_index = number<std::uint32_t>("placements");
    placement.path = number<std::uint32_t>("placements");
    require(placement.template_index < out.templates.size(), where + "unknown template");
    require(placement.path < out.paths.size(), where + "unknown path");
    const Template& t = out.template_of(placement);
    placement.row_base = out.num_constraints;
    placement.aux_base = static_cast<std::uint32_t>(kinds.size());
    placement.field_base = static_cast<std::uint32_t>(kinds.num_stored());
    placement.first_run = static_cast<std::uint32_t>(out.outer_runs.size());
    read_runs(out, t.outer_bits, where,
              [&](Variable v) { return v.is_aux() && v.index() < kinds.size() && !kinds.is_field(v.index()); });
    placement.first_field_run = static_cast<std::uint32_t>(out.outer_runs.size());
    read_runs(out, t.outer_fields, where, [&](Variable v) {
      if (v.is_input()) return v.index() > 0 && v.index() < out.num_inputs;
      return v.index() < kinds.size() && kinds.is_field(v.index()) && !kinds.is_derived(v.index());
    });
    placement.end_run = static_cast<std::uint32_t>(out.outer_runs.size());
    out.num_constraints += t.num_rows();
    require(kinds.size() + t.num_aux < kAuxFlag, where + "too many variables");
    append_kinds(t, kinds);
    out.placements.push_back(placement);
  }

  static void append_kinds(const Template& t, VariableKinds& kinds) {
    std::uint32_t next = 0;
    auto derived = t.derived.begin();
    for (std::uint32_t place = 0; place < t.local_fields.size(); ++place) {
      kinds.append_bits(t.local_fields[place] - next);
      next = t.local_fields[place] + 1;
      if (derived != t.derived.end() && *derived == place) {
        kinds.append_derived(1);
        ++derived;
      } else {
        kinds.append_fields(1);
      }
    }
    kinds.append_bits(t.num_aux - next);
  }

  template <class Good>
  void read_runs(StructuredR1cs& out, std::uint32_t expected, const std::string& where, const Good& good) {
    std::uint64_t next = 0, total = 0;
    for (std::size_t i = 0, count = list_size(sizeof(VariableRun), "outer variables"); i < count; ++i) {
      const auto raw = number<std::uint32_t>("outer variables");
      const auto length = number<std::uint32_t>("outer variables");
      require(raw >= next && length > 0 && length <= expected - total, where + "outer variables out of order");
      const bool aux = (raw & kAuxFlag) != 0;
      const std::uint32_t index = raw & ~kAuxFlag;
      require(index + std::uint64_t{length} <= kAuxFlag, where + "outer variables out of order");
      for (std::uint32_t k = 0; k < length; ++k) {
        require(good(aux ? Variable::aux(index + k) : Variable::input(index + k)),
                where + "an outer variable is unknown or of another kind");
      }
      out.outer_runs.push_back({aux ? Variable::aux(index) : Variable::input(index), length});
      next = std::uint64_t{raw} + length;
      total += length;
    }
    require(total == expected, where + "another number of outer variables than its template has");
  }

  MappedFile file_;
  std::string name_;
  std::span<const std::uint8_t> left_;
};

}  // namespace

void save_circuit(const StructuredR1cs& r1cs, const std::filesystem::path& path) {
  Writer writer;
  writer.bytes(kMagic.data(), kMagic.size());
  writer.number(kVersion);
  writer.number(r1cs.num_inputs);
  writer.number(r1cs.num_constraints);
  writer.number(r1cs.num_aux());
  writer.count(r1cs.coefficients.size());
  for (const Fr& coefficient : r1cs.coefficients) writer.number(coefficient.to_bytes());
  writer.count(r1cs.paths.size());
  for (const std::string& text : r1cs.paths) {
    writer.count(text.size());
    writer.bytes(text.data(), text.size());
  }
  writer.count(r1cs.templates.size());
  for (const Template& t : r1cs.templates) {
    writer.number(t.num_aux);
    writer.number(t.outer_bits);
    writer.number(t.outer_fields);
    writer.list(t.local_fields);
    writer.list(t.derived);
    writer.list(t.part_ends);
    writer.list(t.ops);
    writer.list(t.paths);
  }
  writer.count(r1cs.placements.size());
  for (const Placement& placement : r1cs.placements) {
    writer.number(placement.template_index);
    writer.number(placement.path);
    writer.runs(r1cs.outer_bit_runs(placement));
    writer.runs(r1cs.outer_field_runs(placement));
  }
  const Sha256Digest sum = sha256(writer.out());
  AtomicFile file(path);
  file.write(writer.out());
  file.write(sum);
  file.commit();
}

StructuredR1cs load_circuit(const std::filesystem::path& path) {
  return Reader(path).read();
}

}  // namespace proofline::r1cs
