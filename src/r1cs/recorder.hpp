#pragma once
/// Turns the rows that circuit code enforces into a StructuredR1cs, while they pass by.
#include <array>
#include <deque>
#include <unordered_map>

#include "r1cs/builder.hpp"
#include "r1cs/structured.hpp"

namespace proofline::r1cs {

/// Coefficients by number, each kept once.
class CoefficientTable {
 public:
  CoefficientTable();
  std::uint32_t id_of(const math::Fr& coefficient);
  const math::Fr& operator[](std::uint32_t id) const { return values_[id]; }
  std::vector<math::Fr> take() { return std::move(values_); }

 private:
  struct Hash {
    std::size_t operator()(const math::Fr& value) const;
  };
  static constexpr std::size_t kCache = 1024;
  std::vector<math::Fr> values_;
  std::unordered_map<math::Fr, std::uint32_t, Hash> ids_;
  std::array<std::uint32_t, kCache> cache_{};
};

/// A circuit is cut into instances at its scopes: a scope of at most `max_rows` rows is one instance, whatever it
/// holds; of a larger one, each part is taken by itself, and the rows between its parts too. Instances whose rows are
/// equal up to the names of variables share one template. They are found by a hash of the rows and compared in full.
///
/// Memory: the templates and a few times `max_rows` rows.
class CircuitRecorder final : public RowSink {
 public:
  static constexpr std::uint32_t kMaxRows = 1 << 16;

  /// max_rows >= 1. Other values than kMaxRows are for tests.
  explicit CircuitRecorder(std::uint32_t max_rows = kMaxRows) : max_rows_(max_rows) {}

  void row(const Builder& builder, const Row& row) override;
  void scope_opened(const Builder& builder) override;
  void scope_closes(const Builder& builder) noexcept override;

  /// Ends the recording. Call once, after the circuit has run on `builder`, whose kinds it takes.
  StructuredR1cs finish(Builder& builder);

 private:
  /// A place between rows and allocations.
  struct Mark {
    std::uint64_t row = 0;
    std::uint32_t aux = 0;
  };
  struct Event {
    Mark at;
    std::string path;  ///< of the opened scope
    bool opens;
  };
  struct Part {
    Mark begin, end;
    std::string path;
  };
  struct OpenScope {
    Mark begin;
    std::string path;
    std::vector<Part> parts;  ///< closed inside, while the scope may still be one instance
    bool split = false;
  };
  struct PendingTerm {
    Variable variable;
    std::uint32_t coefficient;
  };
  struct PendingPath {
    std::uint64_t row;
    std::string path;
  };

  void take_events();
  void open(const Event& event);
  void close(const Mark& at);
  /// The outermost scope that may still be one instance; scopes_.size() when there is none.
  std::size_t first_whole() const;
  void split_while_large(const Mark& at);
  /// Makes an instance of everything from done_ to `end`.
  void emit(const Mark& end, const std::string& path);
  void number_outer_variables(std::size_t begin, std::size_t end, const Mark& to);
  void encode(std::span<const PendingTerm> terms, Template& t);
  std::uint32_t path_id(const std::string& path);
  std::uint32_t template_id(Template t, const std::string& path);
  /// Throws Error when one of an instance's outer variables is derived.
  void require_stored(std::span<const Variable> outer, const std::string& path) const;

  /// Drops the front of terms_ and part_ends_ that instances have been made of.
  void forget_taken();

  std::uint32_t max_rows_;
  const VariableKinds* kinds_ = nullptr;
  StructuredR1cs out_;
  CoefficientTable coefficients_;
  std::unordered_map<std::string, std::uint32_t> path_ids_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> template_ids_;

  std::vector<OpenScope> scopes_{OpenScope{}};
  std::vector<Event> events_;
  std::size_t open_scopes_ = 0;  ///< as the builder has them, ahead of scopes_
  std::uint64_t scope_serial_ = ~std::uint64_t{0};

  Mark done_;  ///< up to here, instances are made
  /// Rows; those from done_ on begin at taken_terms_ and taken_parts_.
  std::vector<PendingTerm> terms_;
  std::vector<std::size_t> part_ends_;
  std::size_t taken_terms_ = 0, taken_parts_ = 0;
  std::deque<PendingPath> pending_paths_;

  std::vector<Variable> outer_;
  /// Open hashing: outer variables of the instance at hand to their operands.
  struct Slot {
    std::uint32_t stamp = 0;
    Variable variable;
    Operand operand = Operand::bits(0);
  };
  std::vector<Slot> slots_;
  std::uint32_t stamp_ = 0;
  Slot& slot_of(Variable variable);
  std::vector<Op> singles_;
};

/// Runs the circuit on placeholder or real values and records it.
StructuredR1cs record(const Circuit& circuit, std::uint32_t max_rows = CircuitRecorder::kMaxRows);

}  // namespace proofline::r1cs
