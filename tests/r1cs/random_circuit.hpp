#pragma once
/// Random circuits made of gadgets that repeat, in nested scopes, with every kind of row that a circuit can hold.
#include <random>
#include <vector>

#include "r1cs/builder.hpp"

namespace proofline::test {

using math::Fr;

struct RandomCircuit {
  std::uint64_t seed = 1;
  int instances = 40;
  /// Instances whose gadget has one row more, or puts a wrong value into its last output; -1 for none.
  int extra_row_in = -1, wrong_value_in = -1;
  /// Also gadgets with derived variables, which need instances of 20 rows and more.
  bool with_derived = false;

  void operator()(r1cs::Builder& cs) const { Run(*this, cs).all(); }

 private:
  static constexpr int kGadgets = 5;

  /// One run on a builder. Values are known whatever the mode.
  class Run {
   public:
    Run(const RandomCircuit& circuit, r1cs::Builder& cs) : circuit_(circuit), cs_(cs), rng_(circuit.seed) {}

    void all() {
      for (int i = 0; i < 5; ++i) input(Fr::from_u64(rng_()));
      for (int i = 0; i < 12; ++i) bit(rng_() % 2 != 0);
      for (int i = 0; i < 4; ++i) element(Fr::from_u64(rng_()) * Fr::from_u64(rng_()));
      for (int i = 0; i < circuit_.instances; ++i) {
        const r1cs::Scope scope(cs_, "instance", i);
        const int gadget = static_cast<int>(rng_() % kGadgets);
        if (circuit_.with_derived && i % 3 == 1) {
          run_chain(i % 2 == 0);
        } else if (gadget == 0) {
          const r1cs::Scope both(cs_, "both");
          run_gadget(1, i);
          run_gadget(2, i);
        } else {
          run_gadget(gadget, i);
        }
        if (i % 9 == 4) input(Fr::from_u64(rng_()));
      }
    }

   private:
    struct Known {
      r1cs::Variable variable;
      Fr value;
    };

    Known& input(const Fr& value) {
      elements_.push_back({cs_.alloc_input(value), value});
      return elements_.back();
    }
    Known& element(const Fr& value) {
      elements_.push_back({cs_.alloc(value), value});
      return elements_.back();
    }
    Known& bit(bool value) {
      bits_.push_back({cs_.alloc_bit(value), value ? Fr::one() : Fr::zero()});
      if (cs_.wants_rows()) {
        const r1cs::Variable v = bits_.back().variable;
        const r1cs::Term a[] = {{r1cs::kOne, Fr::one()}, {v, -Fr::one()}};
        const r1cs::Term b[] = {{v, Fr::one()}};
        cs_.enforce(a, b, {});
      }
      return bits_.back();
    }

    const Known& any(const std::vector<Known>& of) { return of[rng_() % of.size()]; }

    static Fr coefficient(std::mt19937_64& rng) {
      switch (rng() % 6) {
        case 0:
          return Fr::one();
        case 1:
          return Fr::minus_one();
        case 2:
          return Fr::from_u64(rng() % 12);
        case 3:
          return -Fr::from_u64(rng() % 12);
        case 4:
          return Fr::power_of_two(static_cast<unsigned>(rng() % 255));
        default:
          return Fr::from_u64(rng()) * Fr::from_u64(rng()) * Fr::from_u64(rng());
      }
    }

    /// `structure` fixes the gadget's rows; which outer variables they meet is random.
    void run_gadget(int gadget, int instance) {
      const r1cs::Scope scope(cs_, "gadget", gadget);
      std::mt19937_64 structure(circuit_.seed * 1000 + static_cast<std::uint64_t>(gadget));
      const std::size_t first_bit = bits_.size();
      const auto num_bits = structure() % 90;
      for (std::uint64_t i = 0; i < num_bits; ++i) bit(rng_() % 2 != 0);
      const auto num_rows = 1 + structure() % 12;
      for (std::uint64_t row = 0; row < num_rows; ++row) {
        std::vector<r1cs::Term> parts[3];
        Fr values[3];
        const auto add = [&](int part, const Known& known, const Fr& by) {
          parts[part].push_back({known.variable, by});
          values[part] += known.value * by;
        };
        for (int part = 0; part < 3; ++part) {
          for (auto terms = structure() % 4; terms-- > 0;) add(part, any(bits_), coefficient(structure));
          for (auto terms = structure() % 3; terms-- > 0;) add(part, any(elements_), coefficient(structure));
          if (structure() % 3 == 0) add(part, {r1cs::kOne, Fr::one()}, coefficient(structure));
          // A run of bits as a number, as packing makes it.
          if (structure() % 3 == 0 && num_bits > 0) {
            Fr by = coefficient(structure);
            for (std::size_t i = 0; i < num_bits; ++i, by = by.doubled()) add(part, bits_[first_bit + i], by);
          }
        }
        const bool last = row + 1 == num_rows;
        const bool wrong = last && instance == circuit_.wrong_value_in;
        Fr output = values[0] * values[1] - values[2];
        if (wrong) output += Fr::one();
        const Known known = element(output);
        parts[2].push_back({known.variable, Fr::one()});
        const r1cs::Scope name(cs_, "row", static_cast<std::int64_t>(row));
        if (!cs_.wants_rows()) continue;
        cs_.enforce(parts[0], parts[1], parts[2]);
        if (last && instance == circuit_.extra_row_in) {
          const r1cs::Term same[] = {{known.variable, Fr::one()}};
          const r1cs::Term one[] = {{r1cs::kOne, Fr::one()}};
          cs_.enforce(same, one, same);
        }
      }
    }

    /// element <- a derived chain of up to 6 variables of both signs, with a bit and a known element in each row.
    void run_chain(bool with_stored) {
      const r1cs::Scope scope(cs_, "chain");
      const Fr shift = Fr::from_u64(3);
      const Known start = any(elements_), other = any(elements_), flag = any(bits_);
      Known last = start;
      for (int step = 0; step < 6; ++step) {
        const r1cs::Scope name(cs_, "step", step);
        const bool negative = step % 2 == 1;
        const bool stored = step == 5 || (with_stored && step == 2);
        // (last + shift) * (other + flag) = +-next + other
        const Fr product = (last.value + shift) * (other.value + flag.value);
        const Fr value = negative ? other.value - product : product - other.value;
        const Known next{stored ? cs_.alloc(value) : cs_.alloc_derived(value), value};
        if (cs_.wants_rows()) {
          const r1cs::Term a[] = {{last.variable, Fr::one()}, {r1cs::kOne, shift}};
          const r1cs::Term b[] = {{other.variable, Fr::one()}, {flag.variable, Fr::one()}};
          const r1cs::Term c[] = {{next.variable, negative ? Fr::minus_one() : Fr::one()}, {other.variable, Fr::one()}};
          cs_.enforce(a, b, c);
        }
        last = next;
      }
      elements_.push_back(last);
    }

    const RandomCircuit& circuit_;
    r1cs::Builder& cs_;
    std::mt19937_64 rng_;
    std::vector<Known> bits_, elements_;
  };
};

}  // namespace proofline::test
