#include "groth16/setup.hpp"

#include <string>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/secret.hpp"
#include "base/sha256.hpp"
#include "groth16/byte_reader.hpp"
#include "math/fixed_base.hpp"
#include "math/ntt.hpp"

namespace proofline::groth16 {

using math::Fr;
using math::G1;
using math::G1Affine;
using math::G2;
using math::G2Affine;

namespace {

/// Points a block between the multiplication and the file.
constexpr std::size_t kBlock = 1 << 16;

/// Counts variables and rows, to size everything before the second run.
class RowCount final : public r1cs::RowSink {
  void row(const r1cs::Builder&, const r1cs::Row&) override {}
};

struct Sizes {
  std::size_t inputs, aux, constraints;
};

Sizes measure(const r1cs::Circuit& circuit) {
  RowCount sink;
  r1cs::Builder builder(&sink, r1cs::Keep::kNothing);
  circuit(builder);
  return {builder.num_inputs(), builder.num_aux(), builder.num_constraints()};
}

/// The QAP polynomials of all variables (inputs, then aux) at tau, summed while the rows pass by.
class QapAtTau final : public r1cs::RowSink {
 public:
  QapAtTau(const Sizes& sizes, std::span<const Fr> lagrange)
      : a(sizes.inputs + sizes.aux), b(a.size()), c(a.size()), num_inputs_(sizes.inputs), lagrange_(lagrange) {}

  void row(const r1cs::Builder& builder, const r1cs::Row& row) override {
    const Fr& weight = lagrange_[builder.num_constraints()];
    add(a, row.a, weight);
    add(b, row.b, weight);
    add(c, row.c, weight);
  }

  /// The rows input_i * 0 = 0 that make the input polynomials of A independent.
  void add_input_rows(std::size_t first_row) {
    for (std::size_t i = 0; i < num_inputs_; ++i) a[i] += lagrange_[first_row + i];
  }

  SecretVector<Fr> a, b, c;

 private:
  void add(SecretVector<Fr>& sums, r1cs::Terms terms, const Fr& weight) const {
    for (const r1cs::Term& term : terms) {
      Fr& sum = sums[term.variable.is_aux() ? num_inputs_ + term.variable.index() : term.variable.index()];
      if (term.coefficient.is_one()) {
        sum += weight;
      } else if (term.coefficient == Fr::minus_one()) {
        sum -= weight;
      } else {
        sum += term.coefficient * weight;
      }
    }
  }

  std::size_t num_inputs_;
  std::span<const Fr> lagrange_;
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

  /// Writes `count` points; `fill(begin, scalars)` gives the scalars of a block.
  template <class Affine, class Fill>
  void write(const char* name, std::size_t count, const Fill& fill) {
    std::vector<std::uint8_t> header;
    append_count(header, count);
    file_.write(header);
    SecretVector<Fr> scalars(std::min(count, kBlock));
    std::vector<Affine> points(scalars.size());
    std::vector<std::uint8_t> bytes(points.size() * Affine::kUncompressed);
    for (std::size_t done = 0; done < count; done += kBlock) {
      const std::size_t size = std::min(kBlock, count - done);
      fill(done, scalars.span().first(size));
      multiply(scalars.span().first(size), std::span(points).first(size));
      exec_.parallel_for(size, 1 << 10, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const auto encoded = points[i].to_uncompressed();
          std::copy(encoded.begin(), encoded.end(), bytes.begin() + static_cast<std::ptrdiff_t>(i * encoded.size()));
        }
      });
      file_.write(std::span(bytes).first(size * Affine::kUncompressed));
      progress_.report(name, done + size, count);
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
};

std::vector<std::uint32_t> nonzero_indices(const SecretVector<Fr>& values) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!values[i].is_zero()) out.push_back(static_cast<std::uint32_t>(i));
  return out;
}

/// values[i] = (beta * a[i] + alpha * b[i] + c[i]) / divisor, over c.
void combine(QapAtTau& qap, const ToxicWaste& waste, std::size_t num_inputs, const Executor& exec) {
  const Secret<Fr> gamma_inverse(waste.gamma.inverse());
  const Secret<Fr> delta_inverse(waste.delta.inverse());
  exec.parallel_for(qap.c.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      qap.c[i] += waste.beta * qap.a[i] + waste.alpha * qap.b[i];
      qap.c[i] *= i < num_inputs ? *gamma_inverse : *delta_inverse;
    }
  });
}

void require_all_constrained(const SecretVector<Fr>& combined, std::size_t num_inputs) {
  for (std::size_t i = 0; i < combined.size(); ++i) {
    if (!combined[i].is_zero()) continue;
    const bool input = i < num_inputs;
    throw InputError(std::string("setup: ") + (input ? "input " : "aux variable ") +
                     std::to_string(input ? i : i - num_inputs) + " of the circuit occurs in no constraint");
  }
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

VerifyingKey generate_parameters(const r1cs::Circuit& circuit, const ToxicWaste& waste,
                                 const std::filesystem::path& path, const Executor& exec, Progress& progress) {
  AtomicFile file(path);  // first, so that a path that cannot be written ends this before the work
  const Sizes sizes = measure(circuit);
  const unsigned log_size = math::Domain::log_size_for(sizes.constraints + sizes.inputs);
  const std::size_t domain_size = std::size_t{1} << log_size;
  Secret<Fr> vanishing{Fr()};
  QapAtTau qap = [&] {
    SecretVector<Fr> lagrange(domain_size);
    const math::Domain domain(log_size, exec);
    domain.lagrange_at(waste.tau, lagrange.span(), exec);
    *vanishing = domain.vanishing(waste.tau);
    QapAtTau sums(sizes, lagrange.span());
    r1cs::Builder builder(&sums, r1cs::Keep::kNothing);
    progress.report("rows", 0, sizes.constraints);
    circuit(builder);
    sums.add_input_rows(sizes.constraints);
    progress.report("rows", sizes.constraints, sizes.constraints);
    return sums;
  }();
  combine(qap, waste, sizes.inputs, exec);
  require_all_constrained(qap.c, sizes.inputs);

  QueryWriter writer(file, exec, progress);

  VerifyingKey key;
  key.alpha_g1 = (G1::generator() * waste.alpha).to_affine();
  key.beta_g1 = (G1::generator() * waste.beta).to_affine();
  key.beta_g2 = (G2::generator() * waste.beta).to_affine();
  key.gamma_g2 = (G2::generator() * waste.gamma).to_affine();
  key.delta_g1 = (G1::generator() * waste.delta).to_affine();
  key.delta_g2 = (G2::generator() * waste.delta).to_affine();
  key.ic.resize(sizes.inputs);
  writer.multiply(std::as_const(qap.c).span().first(sizes.inputs), key.ic);
  file.write(key.to_bytes());

  const Secret<Fr> h_scale(*vanishing * waste.delta.inverse());
  writer.write<G1Affine>("h", domain_size - 1, [&](std::size_t begin, std::span<Fr> scalars) {
    Secret<Fr> power(waste.tau.pow(begin) * *h_scale);
    for (Fr& scalar : scalars) {
      scalar = *power;
      *power *= waste.tau;
    }
  });
  writer.write<G1Affine>("l", sizes.aux, [&](std::size_t begin, std::span<Fr> scalars) {
    std::copy_n(&qap.c[sizes.inputs + begin], scalars.size(), scalars.begin());
  });
  const auto gather = [](const SecretVector<Fr>& values, const std::vector<std::uint32_t>& indices) {
    return [&values, &indices](std::size_t begin, std::span<Fr> scalars) {
      for (std::size_t i = 0; i < scalars.size(); ++i) scalars[i] = values[indices[begin + i]];
    };
  };
  const std::vector<std::uint32_t> in_a = nonzero_indices(qap.a);
  const std::vector<std::uint32_t> in_b = nonzero_indices(qap.b);
  writer.write<G1Affine>("a", in_a.size(), gather(qap.a, in_a));
  writer.write<G1Affine>("b_g1", in_b.size(), gather(qap.b, in_b));
  writer.write<G2Affine>("b_g2", in_b.size(), gather(qap.b, in_b));
  file.commit();
  return key;
}

}  // namespace proofline::groth16
