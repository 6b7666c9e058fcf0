#pragma once
/// The circuit builder: circuit code allocates variables and enforces rows on it, in an order that is
/// part of the circuit's identity. The same code serves three ways:
///   rows only      Builder(&sink, Keep::kNothing)   rows go to the sink; values are placeholders
///   values only    Builder(nullptr, Keep::kWitness) values are kept; no row is built
///   both           Builder(&sink, Keep::kWitness)   for example with a SatisfactionChecker
///   every value    Builder(nullptr, Keep::kAll)     derived ones too, for comparison with other provers
/// Circuit code always computes values: with placeholder inputs they mean nothing and are not kept.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/executor.hpp"
#include "r1cs/variable.hpp"
#include "r1cs/witness.hpp"

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
  /// A Scope has opened, or is about to close. Must not throw in scope_closes.
  virtual void scope_opened(const Builder&) {}
  virtual void scope_closes(const Builder&) noexcept {}
};

enum class Keep { kNothing, kWitness, kAll };

class Builder {
 public:
  /// `sink` may be null (rows are then never built) and must outlive the builder. With `exec`, which must outlive it
  /// too, a builder without a sink runs the parts of for_each() on several threads.
  Builder(RowSink* sink, Keep keep, const Executor* exec = nullptr);
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  /// False when nobody looks at rows: circuit code then skips making them, and gadgets may write whole words of bits
  /// by alloc_bits(). The variables they return are then not meant to be used.
  bool wants_rows() const { return sink_ != nullptr; }

  /// Whether values of derived variables are of use: where not, gadgets may leave them out by alloc_derived_run().
  bool wants_derived() const { return keep_derived_; }

  Variable alloc(const math::Fr& value);
  /// A variable that a row of the same gadget defines, being the only unknown in the row, alone in C, with coefficient
  /// 1 or -1; and that nothing outside the gadget's instance (recorder.hpp) refers to.
  Variable alloc_derived(const math::Fr& value);
  /// `count` such variables without their values. Precondition: neither rows nor derived values are wanted.
  void alloc_derived_run(std::size_t count);
  /// A variable that its gadget constrains to 0 or 1.
  Variable alloc_bit(bool value) { return alloc_bits(value ? 1 : 0, 1); }
  /// `count` such variables, 1 to 64, lowest bit first. Returns the first.
  Variable alloc_bits(std::uint64_t values, unsigned count);
  Variable alloc_input(const math::Fr& value);

  /// Adds <a> * <b> = <c>; call it only when wants_rows(). The lists may be unsorted, repeat a variable or hold zero
  /// coefficients: they are normalised before the sink sees them.
  void enforce(Terms a, Terms b, Terms c);

  /// Runs body(builder, i) for i from 0 to count - 1. The bodies depend on nothing that another of them allocates, so
  /// that values may be made on several threads at once; the variables are in the order of i all the same. A body
  /// hands results on by writing to its own place.
  void for_each(std::size_t count, const std::function<void(Builder&, std::size_t)>& body);

  std::uint32_t num_inputs() const { return num_inputs_; }
  std::uint32_t num_aux() const { return static_cast<std::uint32_t>(kinds_.size()); }
  /// Rows enforced so far; stays 0 when nobody wants rows.
  std::uint64_t num_constraints() const { return num_constraints_; }
  const VariableKinds& kinds() const { return kinds_; }
  /// Value of a variable allocated so far. Precondition: a witness is kept, and derived values for such a variable.
  math::Fr value(Variable v) const;
  /// Ends the building. Takes what was kept; the kinds are there in any case.
  CompactWitness take_witness();
  /// The same with every value. Precondition: derived values are kept.
  FlatWitness take_flat_witness();
  VariableKinds take_kinds() { return std::move(kinds_); }

  /// The gadget names from the outside in, for example "challenge_0/labeling_2/create_label/round[17]".
  std::string path() const;
  /// Changes whenever path() does.
  std::uint64_t scope_serial() const { return scope_serial_; }

 private:
  friend class Scope;
  struct PathPart {
    const char* name;
    std::int64_t index;
  };
  struct Part {};
  /// A builder of values that append() joins to another.
  Builder(Part, const Builder& whole)
      : sink_(nullptr), exec_(whole.exec_), keep_witness_(whole.keep_witness_), keep_derived_(whole.keep_derived_) {}
  void append(const Builder& part);
  Terms normalise(Terms terms, std::vector<Term>& buffer) const;
  void open_scope(const char* name, std::int64_t index);
  void close_scope() noexcept;

  RowSink* sink_;
  const Executor* exec_;
  bool keep_witness_, keep_derived_;
  std::uint32_t num_inputs_ = 0;
  std::uint64_t num_constraints_ = 0;
  VariableKinds kinds_;
  std::vector<math::Fr> inputs_;
  BitArray bits_;
  std::vector<math::Fr> fields_;
  std::vector<PathPart> path_;
  std::uint64_t scope_serial_ = 0;
  std::vector<Term> buffers_[3];
};

/// Names a part of a circuit while it lives. `name` must be a literal.
class Scope {
 public:
  Scope(Builder& builder, const char* name, std::int64_t index = -1) : builder_(builder) {
    builder_.open_scope(name, index);
  }
  ~Scope() { builder_.close_scope(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  Builder& builder_;
};

/// The witness of a circuit, its values made on the executor's threads.
CompactWitness generate_witness(const Circuit& circuit, const Executor& exec);
/// The same with every value as a field element, for comparison with other provers.
FlatWitness generate_flat_witness(const Circuit& circuit, const Executor& exec);

}  // namespace proofline::r1cs
