#include "frontend/reducing/constructors.h"

#include "frontend/reducing/reach.h"

#include <algorithm>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <memory>
#include <vector>

namespace faultline::frontend {
namespace {

constexpr const char* environment_functions[] = {"fesetround",          "fesetenv",       "feupdateenv",
                                                 "feholdexcept",        "feenableexcept", "fedisableexcept",
                                                 "llvm.x86.sse.ldmxcsr"};

// An entry of a list.
struct Constructor {
  llvm::Constant* entry;
  std::unique_ptr<Reach> reach; // what it can reach by itself
  bool matters = false;
};

bool is_state(const llvm::Constant* constant) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(constant);
  return variable && !variable->isConstant() && !variable->isDeclaration();
}

bool changes_environment(const Reach& reach, const llvm::Module& module) {
  return std::ranges::any_of(environment_functions, [&](const char* name) {
    const llvm::Function* function = module.getFunction(name);
    return function && reach.contains(function);
  });
}

bool shares_state(const Reach& one, const Reach& other) {
  return llvm::any_of(other.all(),
                      [&](const llvm::Constant* constant) { return is_state(constant) && one.contains(constant); });
}

std::vector<Constructor> entries_of(const llvm::GlobalVariable& list) {
  std::vector<Constructor> entries;
  if (const auto* array = llvm::dyn_cast<llvm::ConstantArray>(list.getInitializer()))
    for (const llvm::Use& entry : array->operands()) {
      entries.push_back({llvm::cast<llvm::Constant>(entry.get()), std::make_unique<Reach>()});
      entries.back().reach->add(entries.back().entry);
      entries.back().reach->run();
    }
  return entries;
}

void keep_in_list(llvm::GlobalVariable& list, const std::vector<Constructor>& entries) {
  std::vector<llvm::Constant*> kept;
  for (const Constructor& constructor : entries)
    if (constructor.matters)
      kept.push_back(constructor.entry);
  if (!kept.empty()) {
    auto* type = llvm::ArrayType::get(kept.front()->getType(), kept.size());
    auto* shorter = new llvm::GlobalVariable(*list.getParent(), type, list.isConstant(), list.getLinkage(),
                                             llvm::ConstantArray::get(type, kept));
    shorter->takeName(&list);
  }
  list.eraseFromParent();
}

} // namespace

void drop_needless_constructors(llvm::Module& module, llvm::ArrayRef<llvm::GlobalValue*> roots) {
  Reach needed;
  for (llvm::GlobalValue* root : roots)
    needed.add(root);
  needed.run();
  const bool may_matter =
      llvm::any_of(needed.all(), is_state) ||
      std::ranges::any_of(environment_functions, [&](const char* name) { return module.getFunction(name) != nullptr; });
  std::vector<std::pair<llvm::GlobalVariable*, std::vector<Constructor>>> lists;
  for (const char* name : {"llvm.global_ctors", "llvm.global_dtors"})
    if (auto* list = module.getGlobalVariable(name, true); list && list->hasInitializer())
      lists.emplace_back(list, may_matter ? entries_of(*list) : std::vector<Constructor>{}); // reading them takes time
  for (bool more = true; more;) {
    more = false;
    for (auto& [list, entries] : lists)
      for (Constructor& constructor : entries)
        if (!constructor.matters &&
            (shares_state(needed, *constructor.reach) || changes_environment(*constructor.reach, module))) {
          constructor.matters = more = true;
          needed.add(constructor.entry);
          needed.run();
        }
  }
  for (auto& [list, entries] : lists)
    keep_in_list(*list, entries);
}

} // namespace faultline::frontend
