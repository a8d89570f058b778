// Which integers the path alone settles.
//
// An integer or pointer of the program is *determined* if it is a function of the decisions that stand on the tape
// before it: two runs that took the same decisions so far have the same value there. Constants are, and what
// comparisons of floats and conversions to integers make (they are on the tape), and what integer arithmetic, phis and
// calls make of such. Not determined are the inputs, bits of a float, and what unknown code returns. A branch on what
// is not determined becomes a decision of its own (instrument/decisions.h); therefore phis and selects of numbers need
// not look at what chose between them.
//
// It is a greatest fixpoint: everything counts as determined until shown otherwise, so that a loop counter, which
// depends on itself, stays so. Functions are taken as one for all their callers.
//
// A load is determined if its address is, and all that was ever stored into the objects it may read
// (instrument/objects.h); what lies in the heap, behind pointers that were loaded from memory that is written, and
// behind the target's pointers is never determined. Assumed, not shown:
//   - code that is not in the module writes only through the pointers it is handed, and leaves alone the pointers that
//     its variables hold (stderr),
//   - which function an indirect call reaches, and which exception a landing pad catches, is settled by the path.
//
// Rejected: to record every integer condition. Loops with constant bounds and status codes would fill the path with
// decisions that no input can turn.
#pragma once

#include "instrument/objects.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace faultline::instrument {

// A select that the program goes on by, as by a branch. One between conditions is itself part of a condition (a && b).
bool chooses_numbers(const llvm::SelectInst& select);

class InputCells;

class Provenance {
public:
  // `held`: if given, the integers that are inputs of the target are the same in all runs, and so determined.
  explicit Provenance(llvm::Module& module, const InputCells* held = nullptr);

  // Of an integer or a pointer, or an aggregate of them.
  bool determined(const llvm::Value& value) const { return !open_.contains(&value); }

  // Does it read, from a determined address, what nobody writes? Its value is determined then, floats included.
  bool reads_constant(const llvm::LoadInst& load) const;

private:
  void begin(llvm::Module& module);
  void follow(llvm::Instruction& instruction);
  void follow_pointer(const llvm::Instruction& instruction);
  void follow_store(const llvm::StoreInst& store);
  void follow_transfer(const llvm::MemTransferInst& move);
  Bases held_by(const llvm::Value& value) const;
  void follow_call(const llvm::CallBase& call);
  void follow_return(const llvm::ReturnInst& ret);

  bool makes_open(llvm::Instruction& instruction) const;
  bool call_is_open(llvm::CallBase& call) const;
  bool indirect_call_is_open(const llvm::CallBase& call) const;
  bool any_open_operand(const llvm::User& user) const;
  bool reads_open(const llvm::Value& pointer) const;

  template <typename Set>
  void insert(Set& set, const llvm::Value* value) {
    changed_ |= set.insert(value).second;
  }

  llvm::DenseSet<const llvm::Value*> open_;         // not determined
  llvm::DenseSet<const llvm::Value*> open_results_; // functions whose result is not determined
  const InputCells* held_;
  Objects objects_;
  llvm::SmallVector<const llvm::Function*, 8> taken_; // functions that pointers may reach
  bool changed_ = false;
};

} // namespace faultline::instrument
