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
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Module.h>

namespace faultline::instrument {

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

} // namespace faultline::instrument
