// Chooses the integer conditions that get their own records, and finds the origins of leaves. It runs before the walk,
// on the unchanged module, so that the taped and the lifted version have the same sites.
//
// A condition (of a branch, or of a select between numbers) and the integer of a switch get a record if the path does
// not determine them (instrument/provenance.h). Like a comparison of floats, a condition is recorded once, where it is
// computed and not where it is used. So a condition that was computed ahead is part of the path even if the run does
// not use it.
//
//   %c = icmp slt i32 %n, 5
//   append decide, leaf(%n), 5, result %c
//   br i1 %c, ...
//
// A determined condition also gets a record if a conversion of a float to an integer leads to it, such as `(int)x ==
// 7`, because users want to reach both outcomes. Its site is marked as determined, so that no search tries to change it
// alone.
//
// A condition like n > 3 && x < 1 has one record, without operands: its parts are not on the tape.
#pragma once

#include "instrument/operations.h"
#include "model/target.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace faultline::instrument {

class InputCells;
class Provenance;

// The origin of a number that enters the tape as a leaf.
struct Origin {
  bool determined = false;
  int parameter = -1; // the input cell
};

// An integer as an operand of a decision.
struct DecisionOperand {
  llvm::Value* value = nullptr; // null if none
  bool is_signed = true;
  Origin origin;
};

struct Decision {
  const llvm::Instruction* where = nullptr;
  std::string predicate;
  int outcomes = 2;
  std::vector<int64_t> cases;
  bool determined = false; // by earlier conversions
  DecisionOperand a, b;
};

// An instruction whose effect the path and the recorded operations do not determine.
struct UnsettledInstruction {
  const llvm::Instruction* instruction;
  const char* reason;
};

// The calls that change the rounding mode, or the treatment of subnormal numbers. Neither tapes nor lifted runs follow
// such a change.
std::vector<UnsettledInstruction> changes_of_float_environment(llvm::ArrayRef<llvm::Function*> functions);

class Decisions {
public:
  // `held`: the integer inputs are the same in all runs.
  Decisions(llvm::Module& module, std::span<const model::Cell> inputs, bool held = false);

  // The decision of a condition or a switch; null if it needs no record.
  const Decision* find(const llvm::Value& value) const;
  // The origin of the number that an instruction brings onto the tape: an integer converted to a float or read as one,
  // a float loaded, or an exponent of ldexp or powi.
  Origin origin(const llvm::Instruction& instruction) const { return origins_.lookup(&instruction); }
  const std::vector<UnsettledInstruction>& unsettled() const { return unsettled_; }
  // In a proof: the smaller or larger of two numbers, a < b ? a : b, as the continuous function that it is. Its
  // comparison decides nothing else, and is no branch of the path.
  std::optional<Operation> selection(llvm::Instruction& instruction) const;
  bool is_of_selections(const llvm::Instruction& comparison) const { return of_selections_.contains(&comparison); }

private:
  void add_condition(const Provenance&, const InputCells&, llvm::Value* condition, const llvm::Instruction& user);
  void add_switch(const Provenance&, const InputCells&, llvm::SwitchInst& branch);

  llvm::DenseMap<const llvm::Value*, Decision> decisions_;
  llvm::DenseMap<const llvm::Instruction*, Origin> origins_;
  std::vector<UnsettledInstruction> unsettled_;
  llvm::DenseSet<const llvm::Instruction*> of_selections_;
};

// Finds the integers of the program that are integer inputs of the target.
//
// The driver (program/program.h) loads every scalar parameter from its cell of the argument block. An integer is an
// input if it comes from such a load, or from a load through a pointer into the block that is only read. On the way it
// may pass sign or zero extensions that keep its value, and parameters that receive this input in every call. A
// truncation may change the value, so its result is not an input.
class InputCells {
public:
  InputCells(const llvm::Module& module, std::span<const model::Cell> inputs);

  // Returns the index of the input that equals this integer, read as signed or unsigned; -1 if none.
  int input(const llvm::Value& value, bool as_signed) const;

private:
  struct InputMatch {
    int cell;
    bool is_signed; // how to read the bits for the input's value
    bool spare;     // the other reading is also correct, because no extension changed the integer

    bool operator==(const InputMatch&) const = default;
  };
  std::optional<InputMatch> find(const llvm::Value& value, int depth) const;
  std::optional<InputMatch> loaded(const llvm::LoadInst& load, int depth) const;
  std::optional<uint64_t> block_offset(const llvm::Value& pointer, int depth) const;

  const llvm::Function* driver_;
  std::span<const model::Cell> inputs_;
};

} // namespace faultline::instrument
