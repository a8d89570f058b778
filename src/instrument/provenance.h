// Finds the integers that the path alone determines.
//
// An integer or pointer of the program is *determined* if it is a function of the earlier decisions on the tape: two
// runs with the same decisions so far have the same value there. Determined are constants, the results of comparisons
// of floats and of conversions to integers (they are on the tape), and the results of integer arithmetic, phis and
// calls over determined values. Not determined are the inputs, the bits of a float, and results of unknown code. A
// branch on a value that is not determined becomes a separate decision (instrument/decisions.h), so phis and selects of
// numbers can ignore their conditions.
//
// This is a greatest fixpoint: a value counts as determined until it is shown not to be, so a loop counter, which
// depends on itself, remains determined. A function is analysed once for all its callers.
//
// A load is determined if its address and all values ever stored into the objects it may read are determined. Never
// determined are the heap, memory behind pointers loaded from writable memory, and memory behind the target's pointers.
// Assumptions:
//   - code outside the module writes only through the pointers it receives, and does not change the pointers in its
//     variables (stderr),
//   - the path determines which exception a landing pad catches.
//
// Rejected: a record for every integer condition. Loops with constant bounds and status codes would fill the path with
// decisions that no input can change.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace faultline::instrument {

// The memory model of the analysis: whole objects, and the objects that a pointer may point into.
//
// An object is a local variable (alloca), a global variable of the module, or the block in which the caller of the
// module passes arguments and results. The memory that variables of other modules point to (stderr) counts as part of
// them. All other memory (the heap, for example) is one unknown place. For writes, an object whose address was stored
// or passed on also belongs to the unknown place. Pointers are assumed not to leave the object that they were made
// from.
//
// A pointer loaded from an object is one that was stored there or that its initializer contains: libraries reach their
// tables of coefficients through structs that contain their addresses.
//
// The sets only grow. The user repeats passes over the program until nothing changes.

// The objects that a pointer may point into.
struct Bases {
  bool unknown = false;
  llvm::SmallPtrSet<const llvm::Value*, 4> objects = {};
};

class Objects {
public:
  explicit Objects(const llvm::Module& module);

  void begin_round() { changed_ = false; }
  bool changed() const { return changed_; }

  Bases bases(const llvm::Value& pointer) const;
  // The bases of a pointer that is loaded from there.
  Bases loaded(const llvm::Value& pointer) const;
  // Adds bases to a phi, select, freeze, load, argument or call.
  void merge(const llvm::Value& pointer, const Bases& more);
  // The bases of a function's result.
  Bases result(const llvm::Function& function) const { return results_.lookup(&function); }
  void merge_result(const llvm::Function& function, const Bases& more);

  // `open`: the value is not determined, or the place is unknown. `held`: the bases of pointers in the value.
  void write(const llvm::Value& pointer, bool open, const Bases& held);
  // A write by code of other modules, which does not change the pointers in its variables.
  void write_outside(const llvm::Value& pointer);
  void escape(const llvm::Value& value); // has an effect on pointers only
  // Declares that the argument points into unknown memory of the caller.
  void add_block(const llvm::Argument& argument);

  // True if the memory may contain a value that is not determined.
  bool reads_open(const llvm::Value& pointer) const;
  // True if no code writes this memory.
  bool reads_constant(const llvm::Value& pointer) const;

private:
  void merge(Bases& known, const Bases& more);
  template <typename Set> void insert(Set& set, const llvm::Value* value) { changed_ |= set.insert(value).second; }

  llvm::DenseMap<const llvm::Value*, Bases> bases_;
  llvm::DenseMap<const llvm::Value*, Bases> results_;
  llvm::DenseMap<const llvm::Value*, Bases> held_;               // the bases of pointers stored in an object
  llvm::DenseSet<const llvm::Value*> written_, mixed_, escaped_; // mixed: with values that are not determined
  bool changed_ = false;
};

// True for a select between numbers, which acts like a branch. A select between conditions is part of a condition (a &&
// b).
bool chooses_numbers(const llvm::SelectInst& select);

class InputCells;

class Provenance {
public:
  // `held`: if not null, the target's integer inputs are the same in all runs, and so determined.
  explicit Provenance(llvm::Module& module, const InputCells* held = nullptr);

  // For an integer, a pointer, or an aggregate of them.
  bool determined(const llvm::Value& value) const { return !open_.contains(&value); }

  // True if the load reads memory that no code writes, from a determined address. Its value is then determined, even if
  // it is a float.
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

  template <typename Set> void insert(Set& set, const llvm::Value* value) { changed_ |= set.insert(value).second; }

  llvm::DenseSet<const llvm::Value*> open_;         // not determined
  llvm::DenseSet<const llvm::Value*> open_results_; // functions whose result is not determined
  const InputCells* held_;
  Objects objects_;
  llvm::SmallVector<const llvm::Function*, 8> taken_; // functions that pointers may reach
  bool changed_ = false;
};

} // namespace faultline::instrument
