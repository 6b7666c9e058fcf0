#pragma once
/// The circuit builder: circuit code allocates variables and enforces rows on it, in an order that is
/// part of the circuit's identity. The same code serves three ways:
///   shape only     Builder(&sink, Keep::kNothing)   rows go to the sink; values are placeholders
///   witness only   Builder(nullptr, Keep::kWitness) values are kept; no row is built
///   both           Builder(&sink, Keep::kWitness)   for example with a SatisfactionChecker
/// Circuit code always computes values: with placeholder inputs they mean nothing and are not kept.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "r1cs/variable.hpp"

namespace proofline::r1cs {

class Builder;

/// A circuit: the function that allocates and enforces it.
using Circuit = std::function<void(Builder&)>;

/// Receives the rows in order. The spans are valid during the call only.
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// `builder` gives the values allocated so far and the gadget path of the row.
  virtual void row(const Builder& builder, const Row& row) = 0;
};

/// The values of all variables. inputs[0] is one.
struct Witness {
  std::vector<math::Fr> inputs;
  std::vector<math::Fr> aux;
  const math::Fr& at(Variable v) const { return v.is_input() ? inputs[v.index()] : aux[v.index()]; }
};

enum class Keep { kNothing, kWitness };

class Builder {
 public:
  /// `sink` may be null (rows are then never built) and must outlive the builder.
  Builder(RowSink* sink, Keep keep);
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  /// False when nobody looks at rows: circuit code then skips making them.
  bool wants_rows() const { return sink_ != nullptr; }

  Variable alloc(const math::Fr& value);
  /// A variable that its gadget constrains to 0 or 1.
  Variable alloc_bit(bool value);
  Variable alloc_input(const math::Fr& value);

  /// Adds <a> * <b> = <c>; call it only when wants_rows(). The lists may be unsorted, repeat a variable or hold zero
  /// coefficients: they are normalised before the sink sees them.
  void enforce(Terms a, Terms b, Terms c);

  std::uint32_t num_inputs() const { return num_inputs_; }
  std::uint32_t num_aux() const { return num_aux_; }
  /// Rows enforced so far; stays 0 when nobody wants rows.
  std::uint64_t num_constraints() const { return num_constraints_; }
  const Witness& witness() const { return witness_; }
  Witness take_witness() { return std::move(witness_); }

  /// The gadget names from the outside in, for example "challenge_0/labeling_2/create_label/round[17]".
  std::string path() const;

 private:
  friend class Scope;
  struct PathPart {
    const char* name;
    std::int64_t index;
  };
  Terms normalise(Terms terms, std::vector<Term>& buffer) const;

  RowSink* sink_;
  bool keep_witness_;
  std::uint32_t num_inputs_ = 0;
  std::uint32_t num_aux_ = 0;
  std::uint64_t num_constraints_ = 0;
  Witness witness_;
  std::vector<PathPart> path_;
  std::vector<Term> buffers_[3];
};

/// Names a part of a circuit while it lives. `name` must be a literal.
class Scope {
 public:
  Scope(Builder& builder, const char* name, std::int64_t index = -1) : builder_(builder) {
    builder_.path_.push_back({name, index});
  }
  ~Scope() { builder_.path_.pop_back(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  Builder& builder_;
};

}  // namespace proofline::r1cs
