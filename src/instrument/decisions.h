// Which integer conditions get a record of their own, and where the numbers on the tape come from: made before the
// walk, of the module as it is, so that the taped and the lifted version have the same sites.
//
// A condition (of a branch, or of a select between numbers) and the integer of a switch get a record if the path does
// not determine them (instrument/provenance.h). A condition is recorded where it is computed, like a comparison of
// floats, and not where it is used: once, however many branches ask for it. So one that was computed ahead of need
// stands on the path even if the run never asks.
//
//   %c = icmp slt i32 %n, 5
//   append decide, leaf(%n), 5, result %c
//   br i1 %c, ...
//
// A condition that the path does determine gets one, too, if a conversion of a float to an integer leads to it: people
// ask what `(int)x == 7` does. Its site says that it is determined, so that nobody tries to turn it by itself.
//
// One record for the whole of a condition like n > 3 && x < 1, without operands: its parts are not on the tape.
#pragma once

#include "frontend/target.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace faultline::instrument {

class InputCells;
class Provenance;

// What is known of a number that enters the tape as a leaf.
struct Origin {
  bool determined = false;
  int parameter = -1; // the input cell
};

// An integer as an operand of a decision.
struct Compared {
  llvm::Value* value = nullptr; // null if there is none
  bool is_signed = true;
  Origin origin;
};

struct Decision {
  const llvm::Instruction* where = nullptr;
  std::string predicate;
  int outcomes = 2;
  std::vector<int64_t> cases;
  bool determined = false; // by the conversions before it
  Compared a, b;
};

class Decisions {
public:
  // `held`: the integer inputs are the same in all runs.
  Decisions(llvm::Module& module, std::span<const frontend::Cell> inputs, bool held = false);

  // Of a condition or a switch; null if it needs no record.
  const Decision* find(const llvm::Value& value) const;
  // Of the number that an instruction brings onto the tape: an integer converted or read as a float, a float loaded, an
  // exponent of ldexp or powi.
  Origin origin(const llvm::Instruction& instruction) const { return origins_.lookup(&instruction); }
  // Those that read or write floats at an address that the path does not determine.
  const std::vector<const llvm::Instruction*>& unsettled_accesses() const { return unsettled_; }

private:
  void add_condition(const Provenance&, const InputCells&, llvm::Value* condition, const llvm::Instruction& user);
  void add_switch(const Provenance&, const InputCells&, llvm::SwitchInst& branch);

  llvm::DenseMap<const llvm::Value*, Decision> decisions_;
  llvm::DenseMap<const llvm::Instruction*, Origin> origins_;
  std::vector<const llvm::Instruction*> unsettled_;
};

// Which integers of the program are integer inputs of the target.
//
// The driver (frontend/program.h) loads every scalar parameter from its cell of the argument block. An integer is an
// input if it comes from such a load, or from one through a pointer into the block that is only read, by conversions
// that keep its value whatever it is: a sign or zero extension of the right kind, and parameters of functions that are
// called with that input everywhere. A truncation could lose digits, so it is none.
class InputCells {
public:
  InputCells(const llvm::Module& module, std::span<const frontend::Cell> inputs);

  // The index of the input that this integer is, when read as signed or unsigned; -1 if it is none.
  int input(const llvm::Value& value, bool as_signed) const;

private:
  struct Found {
    int cell;
    bool is_signed; // how to read the bits for the input's value
    bool spare;     // as neither sign nor zero extension changed it, the other reading would do as well

    bool operator==(const Found&) const = default;
  };
  std::optional<Found> find(const llvm::Value& value, int depth) const;
  std::optional<Found> loaded(const llvm::LoadInst& load, int depth) const;
  std::optional<uint64_t> block_offset(const llvm::Value& pointer, int depth) const;

  const llvm::Function* driver_;
  std::span<const frontend::Cell> inputs_;
};

} // namespace faultline::instrument
