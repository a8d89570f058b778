// Terms as a flat program on the machine's floats: a search evaluates them millions of times.
//
// Every value is a double. binary32 values are exact: a sum, product, quotient or root of floats computed in double and
// rounded to float is correctly rounded (Figueroa 1995). Formats that the machine lacks go through
// constraint::evaluate, with their bits next to the doubles, which are then approximations; this is slow but correct.
//
// Slots are in the order of the terms, so operands come first. Each variable has a list of the slots that depend on it:
// a change of one variable recomputes only those.
#pragma once

#include "solve/solver.h"

#include <span>

namespace faultline::solve {

class Compiled {
public:
  using Slot = uint32_t;
  static constexpr Slot none = ~Slot{0};

  // The way a slot is computed. `table32` and `table64` call the table of operations; `general` calls
  // constraint::evaluate.
  enum class Kernel : uint8_t {
    variable,
    constant,
    add32,
    add64,
    sub32,
    sub64,
    mul32,
    mul64,
    div32,
    div64,
    sqrt32,
    sqrt64,
    negate,
    magnitude,
    copy,
    narrow,
    table32,
    table64,
    compare,
    identical,
    classify,
    both,
    either,
    opposite,
    choose,
    general
  };

  // The data for evaluation: 16 bytes, because it is read constantly.
  struct Code {
    Kernel kernel = Kernel::general;
    Op op = Op::none;
    Class tested = {};
    uint8_t operand_count = 0;
    std::array<Slot, 3> operands = {};
  };

  struct Instruction : Code {
    bool varies = false; // depends on a variable
    Sort sort, operand_sort;
    Term term = 0;
  };

  struct Values {
    std::vector<double> number; // by slot; Booleans are 0 and 1
    std::vector<Bits> bits;     // of slots in formats that the machine lacks
  };

  Compiled(const System& system, std::span<const Term> roots);

  // True if the lists of dependents would be too long; they are then empty.
  bool too_large() const { return too_large_; }
  static constexpr size_t most_dependents = 20'000'000;

  size_t size() const { return instructions_.size(); }
  const Instruction& at(Slot slot) const { return instructions_[slot]; }
  Slot slot_of(Term term) const { return slots_[term]; } // none if no root needs it
  size_t variable_count() const { return dependents_.size(); }
  Slot slot_of_variable(size_t variable) const { return variables_[variable]; }
  size_t variable_of(Slot slot) const; // for the slot of a variable
  // In order, without the variable's own slot.
  std::span<const Slot> dependents(size_t variable) const { return dependents_[variable]; }

  void evaluate(const Model& model, Values& values) const;
  // Sets the slot of a variable. The caller computes the dependents.
  void assign(Slot slot, Bits bits, Values& values) const;
  void compute(Slot slot, Values& values) const;
  void compute(std::span<const Slot> slots, Values& values) const; // in this order

  Bits bits(Slot slot, const Values& values) const;

private:
  Instruction translated(const Node& node, Term term) const;
  void list_dependents();
  void compute_code(Slot slot, const Code& code, Values& values) const;
  void compute_other(Slot slot, const Code& code, Values& values) const;

  const System& system_;
  std::vector<Instruction> instructions_;
  std::vector<Code> code_;      // in the same order
  std::vector<Slot> slots_;     // by term
  std::vector<Slot> variables_; // by variable
  std::vector<std::vector<Slot>> dependents_;
  bool general_ = false, too_large_ = false;
};

// The formats that doubles represent exactly and natively.
constexpr bool is_native(const Sort& sort) {
  return sort.boolean || sort.format == numeric::binary32 || sort.format == numeric::binary64;
}

} // namespace faultline::solve
