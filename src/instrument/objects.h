// Memory as provenance sees it: objects, each as a whole, and which of them a pointer may point into.
//
// An object is a local variable (alloca) or a global variable of the module. Whatever else there is (the heap, the
// argument block, what is behind a pointer that was itself loaded) is one unknown place. An object whose address was
// stored or handed out is part of the unknown too, as far as writes go. It is assumed that no pointer leaves the object
// that it was made from.
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
  llvm::SmallPtrSet<const llvm::Value*, 4> objects;
};

class Objects {
public:
  explicit Objects(const llvm::Module& module);

  void begin_round() { changed_ = false; }
  bool changed() const { return changed_; }

  Bases bases(const llvm::Value& pointer) const;
  // A phi, select, freeze, argument or call may be this, too.
  void merge(const llvm::Value& pointer, const Bases& more);
  // What a function returns.
  Bases result(const llvm::Function& function) const { return results_.lookup(&function); }
  void merge_result(const llvm::Function& function, const Bases& more);

  void write(const llvm::Value& pointer, bool open); // open: something that is not determined, or to an unknown place
  void escape(const llvm::Value& value);             // if it is a pointer

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
  llvm::DenseSet<const llvm::Value*> written_, mixed_, escaped_; // mixed: with what is not determined
  bool changed_ = false;
};

} // namespace faultline::instrument
