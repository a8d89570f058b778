#include "instrument/objects.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

namespace faultline::instrument {
namespace {

bool is_object(const llvm::Value& value) {
  return llvm::isa<llvm::AllocaInst>(value) || llvm::isa<llvm::GlobalVariable>(value);
}

// Of another module: stderr and its like.
bool is_foreign(const llvm::Value& object) {
  auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&object);
  return global && !global->hasInitializer();
}

bool is_constant_memory(const llvm::Value& object) {
  auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&object);
  return global && global->isConstant();
}

void collect_globals(const llvm::Constant& constant, llvm::SmallPtrSetImpl<const llvm::Constant*>& seen) {
  if (!seen.insert(&constant).second || llvm::isa<llvm::GlobalValue>(constant))
    return;
  for (const llvm::Use& operand : constant.operands())
    if (auto* part = llvm::dyn_cast<llvm::Constant>(operand))
      collect_globals(*part, seen);
}

// The objects whose addresses an initializer has.
void add_globals(const llvm::Constant& initializer, Bases& to) {
  llvm::SmallPtrSet<const llvm::Constant*, 32> held;
  collect_globals(initializer, held);
  for (const llvm::Constant* constant : held)
    if (is_object(*constant))
      to.objects.insert(constant);
    else if (llvm::isa<llvm::GlobalValue>(constant) && !llvm::isa<llvm::Function>(constant))
      to.unknown = true;
}

} // namespace

Objects::Objects(const llvm::Module& module) {
  llvm::SmallPtrSet<const llvm::Constant*, 32> seen; // global variables that others hold the address of
  for (const llvm::GlobalVariable& global : module.globals())
    if (global.hasInitializer())
      collect_globals(*global.getInitializer(), seen);
  for (const llvm::Constant* constant : seen)
    if (is_object(*constant))
      escaped_.insert(constant);
}

Bases Objects::bases(const llvm::Value& pointer) const {
  const llvm::Value& root = *llvm::getUnderlyingObject(&pointer, 0);
  Bases found;
  if (is_object(root))
    found.objects.insert(&root);
  else if (auto known = bases_.find(&root); known != bases_.end())
    return known->second;
  else // phis and their like are known as soon as they are reached; null and functions have no memory
    found.unknown = !llvm::isa<llvm::PHINode>(root) && !llvm::isa<llvm::SelectInst>(root) &&
                    !llvm::isa<llvm::FreezeInst>(root) && !llvm::isa<llvm::Argument>(root) &&
                    !llvm::isa<llvm::CallBase>(root) && !llvm::isa<llvm::LoadInst>(root) &&
                    !llvm::isa<llvm::ConstantData>(root) && !llvm::isa<llvm::Function>(root);
  return found;
}

Bases Objects::loaded(const llvm::Value& pointer) const {
  const Bases from = bases(pointer);
  Bases found{.unknown = from.unknown};
  for (const llvm::Value* object : from.objects) {
    if (const auto held = held_.find(object); held != held_.end()) {
      found.unknown |= held->second.unknown;
      found.objects.insert(held->second.objects.begin(), held->second.objects.end());
    }
    if (is_foreign(*object)) // what such a pointer points to is as foreign
      found.objects.insert(object);
    else if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object))
      add_globals(*global->getInitializer(), found);
  }
  return found;
}

void Objects::add_block(const llvm::Argument& argument) {
  merge(argument, {.objects = {&argument}});
  merge(held_[&argument], {.unknown = true});
  insert(written_, &argument);
  insert(mixed_, &argument);
}

void Objects::merge(const llvm::Value& pointer, const Bases& more) { merge(bases_[&pointer], more); }

void Objects::merge_result(const llvm::Function& function, const Bases& more) { merge(results_[&function], more); }

void Objects::merge(Bases& known, const Bases& more) {
  changed_ |= more.unknown && !known.unknown;
  known.unknown |= more.unknown;
  for (const llvm::Value* object : more.objects)
    insert(known.objects, object);
}

void Objects::write(const llvm::Value& pointer, bool open, const Bases& held) {
  auto note = [&](const llvm::Value* object) {
    if (is_constant_memory(*object))
      return;
    insert(written_, object);
    if (held.unknown || !held.objects.empty())
      merge(held_[object], held);
    if (open)
      insert(mixed_, object);
  };
  const Bases into = bases(pointer);
  for (const llvm::Value* object : into.objects)
    note(object);
  if (into.unknown)
    for (const llvm::Value* object : escaped_)
      note(object);
}

void Objects::write_outside(const llvm::Value& pointer) {
  const Bases into = bases(pointer);
  if (into.unknown || !llvm::all_of(into.objects, [](const llvm::Value* object) { return is_foreign(*object); }))
    write(pointer, true, {.unknown = true});
}

void Objects::escape(const llvm::Value& pointer) {
  if (!pointer.getType()->isPointerTy())
    return;
  for (const llvm::Value* object : bases(pointer).objects)
    insert(escaped_, object);
}

bool Objects::reads_open(const llvm::Value& pointer) const {
  const Bases from = bases(pointer);
  return from.unknown || llvm::any_of(from.objects, [&](const llvm::Value* object) {
           return mixed_.contains(object) || is_foreign(*object);
         });
}

bool Objects::reads_constant(const llvm::Value& pointer) const {
  const Bases from = bases(pointer);
  return !from.unknown && !from.objects.empty() && llvm::all_of(from.objects, [&](const llvm::Value* object) {
    return llvm::isa<llvm::GlobalVariable>(object) && !is_foreign(*object) &&
           (is_constant_memory(*object) || !written_.contains(object));
  });
}

} // namespace faultline::instrument
