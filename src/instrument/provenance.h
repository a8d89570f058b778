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
// (instrument/provenance.h); what lies in the heap, behind pointers that were loaded from memory that is written, and
// behind the target's pointers is never determined. Assumed, not shown:
//   - code that is not in the module writes only through the pointers it is handed, and leaves alone the pointers that
//     its variables hold (stderr),
//   - which function an indirect call reaches, and which exception a landing pad catches, is settled by the path.
//
// Rejected: to record every integer condition. Loops with constant bounds and status codes would fill the path with
// decisions that no input can turn.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace faultline::instrument {

// Memory as provenance sees it: objects, each as a whole, and which of them a pointer may point into.
//
// An object is a local variable (alloca) or a global variable of the module, or the block in which the caller of the
// module hands over arguments and results. What variables of other modules point to (stderr) counts as part of them.
// Whatever else there is (the heap, say) is one unknown place. An object whose address was stored or handed out is part
// of the unknown too, as far as writes go. It is assumed that no pointer leaves the object that it was made from.
//
// A pointer that is loaded from an object is one that was stored there, or that its initializer has: libraries reach
// their tables of coefficients by structs that hold their addresses.
//
// The sets only grow: the user goes over the program until a round changes nothing.

// What a pointer may point into.
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
  // Of a pointer that is loaded from there.
  Bases loaded(const llvm::Value& pointer) const;
  // A phi, select, freeze, load, argument or call may be this, too.
  void merge(const llvm::Value& pointer, const Bases& more);
  // What a function returns.
  Bases result(const llvm::Function& function) const { return results_.lookup(&function); }
  void merge_result(const llvm::Function& function, const Bases& more);

  // `open`: something that is not determined, or to an unknown place; `held`: what pointers in it point into.
  void write(const llvm::Value& pointer, bool open, const Bases& held);
  // By code of other modules, which leaves alone the pointers of its own variables.
  void write_outside(const llvm::Value& pointer);
  void escape(const llvm::Value& value); // if it is a pointer
  // The argument points into memory of the caller's, that nobody knows anything of.
  void add_block(const llvm::Argument& argument);

  // May there be something that is not determined?
  bool reads_open(const llvm::Value& pointer) const;
  // Is it memory that nobody writes?
  bool reads_constant(const llvm::Value& pointer) const;

private:
  void merge(Bases& known, const Bases& more);
  template <typename Set>
  void insert(Set& set, const llvm::Value* value) {
    changed_ |= set.insert(value).second;
  }

  llvm::DenseMap<const llvm::Value*, Bases> bases_;
  llvm::DenseMap<const llvm::Value*, Bases> results_;
  llvm::DenseMap<const llvm::Value*, Bases> held_;               // by pointers that were stored in an object
  llvm::DenseSet<const llvm::Value*> written_, mixed_, escaped_; // mixed: with what is not determined
  bool changed_ = false;
};

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
