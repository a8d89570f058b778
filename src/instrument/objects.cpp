#include "instrument/objects.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

namespace faultline::instrument {
namespace {

bool is_object(const llvm::Value& value) {
  auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&value);
  return llvm::isa<llvm::AllocaInst>(value) || (global && global->hasInitializer());
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
                    !llvm::isa<llvm::CallBase>(root) && !llvm::isa<llvm::ConstantData>(root) &&
                    !llvm::isa<llvm::Function>(root);
  return found;
}

void Objects::merge(const llvm::Value& pointer, const Bases& more) { merge(bases_[&pointer], more); }

void Objects::merge_result(const llvm::Function& function, const Bases& more) { merge(results_[&function], more); }

void Objects::merge(Bases& known, const Bases& more) {
  changed_ |= more.unknown && !known.unknown;
  known.unknown |= more.unknown;
  for (const llvm::Value* object : more.objects)
    insert(known.objects, object);
}

void Objects::write(const llvm::Value& pointer, bool open) {
  auto note = [&](const llvm::Value* object) {
    if (is_constant_memory(*object))
      return;
    insert(written_, object);
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

void Objects::escape(const llvm::Value& pointer) {
  if (!pointer.getType()->isPointerTy())
    return;
  for (const llvm::Value* object : bases(pointer).objects)
    insert(escaped_, object);
}

bool Objects::reads_open(const llvm::Value& pointer) const {
  const Bases from = bases(pointer);
  return from.unknown || llvm::any_of(from.objects, [&](const llvm::Value* object) { return mixed_.contains(object); });
}

bool Objects::reads_constant(const llvm::Value& pointer) const {
  const Bases from = bases(pointer);
  return !from.unknown && !from.objects.empty() && llvm::all_of(from.objects, [&](const llvm::Value* object) {
    return is_constant_memory(*object) || (llvm::isa<llvm::GlobalVariable>(object) && !written_.contains(object));
  });
}

} // namespace faultline::instrument
