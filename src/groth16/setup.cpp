#include "groth16/setup.hpp"

#include <string>

#include "base/byte_reader.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/secret.hpp"
#include "base/sha256.hpp"
#include "math/fixed_base.hpp"
#include "math/ntt.hpp"
#include "r1cs/density.hpp"
#include "r1cs/left_product.hpp"

namespace proofline::groth16 {

using math::Fr;
using math::G1;
using math::G1Affine;
using math::G2;
using math::G2Affine;

namespace {

/// Points a block between the multiplication and the file.
constexpr std::size_t kBlock = 1 << 16;
/// Variables whose polynomials are in memory at a time.
constexpr std::size_t kVariables = 1 << 22;

/// The QAP polynomials of the variables (inputs, then aux) at tau, a range at a time.
class QapAtTau {
 public:
  QapAtTau(const r1cs::StructuredR1cs& circuit, const ToxicWaste& waste, const Executor& exec)
      : circuit_(circuit),
        exec_(exec),
        domain_log_size_(math::Domain::log_size_for(circuit.num_constraints + circuit.num_inputs)),
        lagrange_(domain_size()),
        a_(std::min(kVariables, num_variables())),
        b_(a_.size()),
        c_(a_.size()) {
    const math::Domain domain(domain_log_size_, exec);
    domain.lagrange_at(waste.tau, lagrange_.span(), exec);
  }

  std::size_t num_variables() const { return circuit_.num_inputs + std::size_t{circuit_.num_aux()}; }
  std::size_t domain_size() const { return std::size_t{1} << domain_log_size_; }

  struct Range {
    std::size_t begin = 0;
    std::span<const Fr> a, b, c;
  };
  /// Calls use(range) for all variables, ranges in order.
  template <class Use>
  void for_each_range(const Use& use) {
    for (std::size_t begin = 0; begin < num_variables(); begin += kVariables) {
      const std::size_t size = std::min(kVariables, num_variables() - begin);
      compute(begin, size);
      use(Range{begin, std::as_const(a_).span().first(size), std::as_const(b_).span().first(size),
                std::as_const(c_).span().first(size)});
    }
  }

 private:
  void compute(std::size_t begin, std::size_t size) {
    if (computed_ == std::pair(begin, size)) return;
    const std::span<const Fr> weights = std::as_const(lagrange_).span();
    const auto rows = static_cast<std::size_t>(circuit_.num_constraints);
    r1cs::left_product(circuit_, weights.first(rows), begin, begin + size,
                       {a_.span().first(size), b_.span().first(size), c_.span().first(size)}, exec_);
    // The rows input_i * 0 = 0 make the input polynomials of A independent.
    for (std::size_t i = begin; i < std::min<std::size_t>(circuit_.num_inputs, begin + size); ++i)
      a_[i - begin] += weights[rows + i];
    computed_ = {begin, size};
  }

  const r1cs::StructuredR1cs& circuit_;
  const Executor& exec_;
  unsigned domain_log_size_;
  SecretVector<Fr> lagrange_;
  SecretVector<Fr> a_, b_, c_;
  std::pair<std::size_t, std::size_t> computed_{0, 0};
};

/// Multiplies blocks of secret scalars with a fixed base and appends the points to the file.
class QueryWriter {
 public:
  QueryWriter(AtomicFile& file, const Executor& exec, Progress& progress)
      : g1_(G1Affine::generator(), exec),
        g2_(G2Affine::generator(), exec),
        file_(file),
        exec_(exec),
        progress_(progress) {}

  /// Begins a list of `count` points.
  void begin(const char* name, std::size_t count) {
    std::vector<std::uint8_t> header;
    append_count(header, count);
    file_.write(header);
    name_ = name;
    count_ = count;
    done_ = 0;
  }
  /// Appends points of the list that was begun.
  template <class Affine>
  void append(std::span<const Fr> scalars) {
    std::vector<Affine> points(std::min(scalars.size(), kBlock));
    std::vector<std::uint8_t> bytes(points.size() * Affine::kUncompressed);
    for (std::size_t first = 0; first < scalars.size(); first += kBlock) {
      const std::size_t size = std::min(kBlock, scalars.size() - first);
      multiply(scalars.subspan(first, size), std::span(points).first(size));
      exec_.parallel_for(size, 1 << 10, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const auto encoded = points[i].to_uncompressed();
          std::copy(encoded.begin(), encoded.end(), bytes.begin() + static_cast<std::ptrdiff_t>(i * encoded.size()));
        }
      });
      file_.write(std::span(bytes).first(size * Affine::kUncompressed));
      done_ += size;
      progress_.report(name_, done_, count_);
    }
  }

  void multiply(std::span<const Fr> scalars, std::span<G1Affine> out) const { g1_.multiply(scalars, out, exec_); }
  void multiply(std::span<const Fr> scalars, std::span<G2Affine> out) const { g2_.multiply(scalars, out, exec_); }

 private:
  math::FixedBaseG1 g1_;
  math::FixedBaseG2 g2_;
  AtomicFile& file_;
  const Executor& exec_;
  Progress& progress_;
  const char* name_ = "";
  std::size_t count_ = 0, done_ = 0;
};

/// (beta * a + alpha * b + c) / divisor of each variable: points ic of the verifying key for the inputs, l for the
/// others.
class Combination {
 public:
  explicit Combination(const ToxicWaste& waste)
      : waste_(waste), gamma_inverse_(waste.gamma.inverse()), delta_inverse_(waste.delta.inverse()) {}

  void compute(const QapAtTau::Range& range, std::size_t num_inputs, std::span<Fr> out, const Executor& exec) const {
    exec.parallel_for(out.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        out[i] = waste_.beta * range.a[i] + waste_.alpha * range.b[i] + range.c[i];
        out[i] *= range.begin + i < num_inputs ? *gamma_inverse_ : *delta_inverse_;
      }
    });
  }

 private:
  const ToxicWaste& waste_;
  Secret<Fr> gamma_inverse_, delta_inverse_;
};

/// Which variables, inputs and aux, occur in a matrix.
r1cs::BitArray used_variables(const r1cs::StructuredR1cs& circuit, r1cs::Matrix matrix) {
  r1cs::BitArray out;
  out.append(circuit.used_inputs[static_cast<unsigned>(matrix)]);
  out.append(r1cs::used_aux(circuit, matrix, 0, circuit.num_aux()));
  return out;
}

std::size_t count(const r1cs::BitArray& bits) {
  std::size_t out = 0;
  for (const std::uint64_t word : bits.words()) out += static_cast<std::size_t>(std::popcount(word));
  return out;
}

void require_all_constrained(const r1cs::StructuredR1cs& circuit) {
  std::array<r1cs::BitArray, 3> used;
  for (const r1cs::Matrix matrix : r1cs::kMatrices)
    used[static_cast<unsigned>(matrix)] = r1cs::used_aux(circuit, matrix, 0, circuit.num_aux());
  for (std::size_t i = 0; i < circuit.num_aux(); ++i) {
    if (used[0].get(i) || used[1].get(i) || used[2].get(i)) continue;
    throw InputError("setup: aux variable " + std::to_string(i) + " of the circuit occurs in no constraint");
  }
}

/// Writes the list of the variables in `used`, whose scalars are in the range's member `values`.
template <class Affine>
void write_used(QueryWriter& writer, const char* name, QapAtTau& qap, const r1cs::BitArray& used,
                std::span<const Fr> QapAtTau::Range::*values) {
  writer.begin(name, count(used));
  SecretVector<Fr> selected(std::min(qap.num_variables(), kVariables));
  qap.for_each_range([&](const QapAtTau::Range& range) {
    const std::span<const Fr> all = range.*values;
    std::size_t size = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (used.get(range.begin + i)) selected[size++] = all[i];
    writer.append<Affine>(selected.span().first(size));
  });
}

}  // namespace

ToxicWaste ToxicWaste::random() {
  const auto nonzero = [] {
    Secret<Fr> value(Fr::random());
    while ((*value).is_zero()) *value = Fr::random();
    return *value;
  };
  return {nonzero(), nonzero(), nonzero(), nonzero(), nonzero()};
}

ToxicWaste ToxicWaste::insecure_from_seed(std::uint64_t seed) {
  const auto derive = [&](std::uint8_t label) {
    std::array<std::uint8_t, 9> text;
    std::memcpy(text.data(), &seed, 8);
    text[8] = label;
    Sha256Digest digest = sha256(text);
    digest[31] &= 0x3f;
    return *Fr::from_bytes(digest);
  };
  return {derive(0), derive(1), derive(2), derive(3), derive(4)};
}

ToxicWaste::~ToxicWaste() {
  for (Fr* value : {&tau, &alpha, &beta, &gamma, &delta}) wipe(std::span(value, 1));
}

VerifyingKey generate_parameters(const r1cs::StructuredR1cs& circuit, const ToxicWaste& waste,
                                 const std::filesystem::path& path, const Executor& exec, Progress& progress) {
  AtomicFile file(path);  // first, so that a path that cannot be written ends this before the work
  require_all_constrained(circuit);
  QapAtTau qap(circuit, waste, exec);
  const Combination combination(waste);
  QueryWriter writer(file, exec, progress);

  VerifyingKey key;
  key.alpha_g1 = (G1::generator() * waste.alpha).to_affine();
  key.beta_g1 = (G1::generator() * waste.beta).to_affine();
  key.beta_g2 = (G2::generator() * waste.beta).to_affine();
  key.gamma_g2 = (G2::generator() * waste.gamma).to_affine();
  key.delta_g1 = (G1::generator() * waste.delta).to_affine();
  key.delta_g2 = (G2::generator() * waste.delta).to_affine();

  SecretVector<Fr> scalars(std::min(std::max(qap.num_variables(), kBlock), kVariables));
  const std::size_t num_inputs = circuit.num_inputs;
  key.ic.resize(num_inputs);
  qap.for_each_range([&](const QapAtTau::Range& range) {
    if (range.begin >= num_inputs) return;
    const std::size_t size = std::min(range.a.size(), num_inputs - range.begin);
    const std::span<Fr> out = scalars.span().first(size);
    combination.compute(range, num_inputs, out, exec);
    writer.multiply(out, std::span(key.ic).subspan(range.begin, size));
  });
  file.write(key.to_bytes());

  const std::size_t num_h = qap.domain_size() - 1;
  const Secret<Fr> h_scale((waste.tau.pow(qap.domain_size()) - Fr::one()) * waste.delta.inverse());
  writer.begin("h", num_h);
  for (std::size_t begin = 0; begin < num_h; begin += kBlock) {
    const std::span<Fr> block = scalars.span().first(std::min(kBlock, num_h - begin));
    Secret<Fr> power(waste.tau.pow(begin) * *h_scale);
    for (Fr& scalar : block) {
      scalar = *power;
      *power *= waste.tau;
    }
    writer.append<G1Affine>(block);
  }

  writer.begin("l", circuit.num_aux());
  qap.for_each_range([&](const QapAtTau::Range& range) {
    const std::span<Fr> out = scalars.span().first(range.a.size());
    combination.compute(range, num_inputs, out, exec);
    const std::size_t inputs_here = num_inputs - std::min(num_inputs, range.begin);
    writer.append<G1Affine>(out.subspan(std::min(out.size(), inputs_here)));
  });

  r1cs::BitArray in_a = used_variables(circuit, r1cs::Matrix::kA);
  for (std::size_t i = 0; i < num_inputs; ++i) in_a.set(i);
  write_used<G1Affine>(writer, "a", qap, in_a, &QapAtTau::Range::a);
  const r1cs::BitArray in_b = used_variables(circuit, r1cs::Matrix::kB);
  write_used<G1Affine>(writer, "b_g1", qap, in_b, &QapAtTau::Range::b);
  write_used<G2Affine>(writer, "b_g2", qap, in_b, &QapAtTau::Range::b);
  file.commit();
  return key;
}

}  // namespace proofline::groth16
