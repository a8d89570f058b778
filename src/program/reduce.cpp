#include "program/reduce.h"

#include "program/float_type.h"
#include "program/unit.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <memory>
#include <ranges>
#include <vector>

namespace faultline::program {

namespace {

// Everything that some values of a module reference, directly or indirectly. Lazily loaded functions are read as they
// are reached.
class Reach {
public:
  void add(llvm::Value* value);
  void run(); // from what was added since the last call

  bool contains(const llvm::Constant* constant) const { return seen_.contains(constant); }
  bool has_assembly() const { return has_assembly_; } // inside of a function
  const auto& all() const { return seen_; }

private:
  llvm::SmallPtrSet<llvm::Constant*, 32> seen_;
  llvm::SmallVector<llvm::Constant*, 64> work_;
  bool has_assembly_ = false;
};

void Reach::add(llvm::Value* value) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant || !seen_.insert(constant).second)
    return;
  work_.push_back(constant);
}

void Reach::run() {
  while (!work_.empty()) {
    llvm::Constant* constant = work_.pop_back_val();
    if (auto* function = llvm::dyn_cast<llvm::Function>(constant)) {
      materialize(*function);
      for (llvm::Instruction& instruction : llvm::instructions(*function))
        for (llvm::Use& operand : instruction.operands()) {
          has_assembly_ = has_assembly_ || llvm::isa<llvm::InlineAsm>(operand);
          add(operand);
        }
    }
    for (llvm::Use& operand : constant->operands())
      add(operand);
  }
}

// An entry of a list of constructors or destructors.
struct Constructor {
  llvm::Constant* entry;
  std::unique_ptr<Reach> reach; // by itself
  bool matters = false;
};

bool is_state(const llvm::Constant* constant) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(constant);
  return variable && !variable->isConstant() && !variable->isDeclaration();
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

std::vector<llvm::GlobalVariable*> lists_of(llvm::Module& module) {
  std::vector<llvm::GlobalVariable*> lists;
  for (const char* name : {"llvm.global_ctors", "llvm.global_dtors"})
    if (auto* list = module.getGlobalVariable(name, true); list && list->hasInitializer())
      lists.push_back(list);
  return lists;
}

Reach reach_of(llvm::ArrayRef<llvm::GlobalValue*> roots) {
  Reach reach;
  for (llvm::GlobalValue* root : roots)
    reach.add(root);
  reach.run();
  return reach;
}

// The source file, compiled once, that defines the function; null without debug information.
const llvm::DICompileUnit* file_of(const llvm::Function* function) {
  const llvm::DISubprogram* described = function ? function->getSubprogram() : nullptr;
  return described ? described->getUnit() : nullptr;
}

const llvm::Function* function_of(const Constructor& constructor) {
  const auto* row = llvm::dyn_cast<llvm::ConstantStruct>(constructor.entry);
  return row && row->getNumOperands() > 1 ? llvm::dyn_cast<llvm::Function>(row->getOperand(1)->stripPointerCasts())
                                          : nullptr;
}

} // namespace

void drop_needless_constructors(llvm::Module& module, llvm::ArrayRef<llvm::GlobalValue*> roots,
                                llvm::ArrayRef<const llvm::Function*> targets) {
  const std::vector<llvm::GlobalVariable*> lists = lists_of(module);
  if (lists.empty())
    return;
  Reach needed = reach_of(roots);
  const bool may_matter = !targets.empty() || llvm::any_of(needed.all(), is_state);
  std::vector<std::vector<Constructor>> entries;
  for (llvm::GlobalVariable* list : lists)
    entries.push_back(may_matter ? entries_of(*list) : std::vector<Constructor>{}); // reading them is slow
  const auto is_of_targets = [&](const Constructor& constructor) {
    const llvm::DICompileUnit* file = file_of(function_of(constructor));
    return llvm::any_of(targets, [&](const llvm::Function* target) { return file_of(target) == file; });
  };
  for (bool more = true; more;) {
    more = false;
    for (Constructor& constructor : std::views::join(entries))
      if (!constructor.matters && (is_of_targets(constructor) || shares_state(needed, *constructor.reach))) {
        constructor.matters = more = true;
        needed.add(constructor.entry);
        needed.run();
      }
  }
  for (size_t i = 0; i < lists.size(); ++i)
    keep_in_list(*lists[i], entries[i]);
}

void drop_needless_assembly(llvm::Module& module, llvm::ArrayRef<llvm::GlobalValue*> roots) {
  const llvm::StringRef text = module.getModuleInlineAsm();
  if (text.empty())
    return;
  std::vector<llvm::GlobalValue*> all = roots;
  for (llvm::GlobalVariable* list : lists_of(module))
    all.push_back(list);
  const Reach reach = reach_of(all);
  const bool needed = llvm::any_of(reach.all(), [&](const llvm::Constant* constant) {
    const auto* value = llvm::dyn_cast<llvm::GlobalValue>(constant);
    return value && value->isDeclaration() && text.contains(value->getName());
  });
  if (!needed && !reach.has_assembly())
    module.setModuleInlineAsm("");
}

namespace {

// The global values outside of the reach that use something inside of it: functions read for other reasons, tables of
// function pointers.
llvm::SmallPtrSet<llvm::GlobalValue*, 32> other_users(const Reach& reach) {
  llvm::SmallPtrSet<llvm::GlobalValue*, 32> others;
  llvm::SmallPtrSet<llvm::Constant*, 32> seen;
  llvm::SmallVector<llvm::Constant*, 64> work;
  for (llvm::Constant* constant : reach.all())
    if (!llvm::isa<llvm::ConstantData>(constant)) // numbers are irrelevant
      work.push_back(constant);
  while (!work.empty())
    for (llvm::User* user : work.pop_back_val()->users()) {
      if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
        user = instruction->getFunction();
      auto* constant = llvm::cast<llvm::Constant>(user);
      if (reach.contains(constant))
        continue;
      if (auto* value = llvm::dyn_cast<llvm::GlobalValue>(constant))
        others.insert(value);
      else if (seen.insert(constant).second)
        work.push_back(constant);
    }
  return others;
}

// Drops uses from outside, so that the uses of a function or variable are those of the part alone.
void drop_other_uses(const Reach& reach) {
  for (llvm::GlobalValue* other : other_users(reach)) {
    if (auto* function = llvm::dyn_cast<llvm::Function>(other)) {
      function->deleteBody();
    } else if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(other)) {
      variable->setInitializer(nullptr);
    } else {
      other->replaceAllUsesWith(llvm::PoisonValue::get(other->getType()));
      other->eraseFromParent();
    }
  }
  for (llvm::Constant* constant : reach.all())
    if (llvm::isa<llvm::GlobalValue>(constant))
      constant->removeDeadConstantUsers();
}

std::unique_ptr<llvm::Module> empty_like(llvm::Module& module) {
  auto empty = std::make_unique<llvm::Module>(module.getModuleIdentifier(), module.getContext());
  empty->setSourceFileName(module.getSourceFileName());
  empty->setDataLayout(module.getDataLayout());
  empty->setTargetTriple(module.getTargetTriple());
  empty->setModuleInlineAsm(module.getModuleInlineAsm());
  empty->IsNewDbgInfoFormat = module.IsNewDbgInfoFormat;
  if (llvm::NamedMDNode* flags = module.getModuleFlagsMetadata())
    for (llvm::MDNode* flag : flags->operands())
      empty->getOrInsertModuleFlagsMetadata()->addOperand(flag);
  return empty;
}

const char* refused(const llvm::Type* type) {
  type = type->getScalarType();
  if (!type->isFloatingPointTy() || format_of(*type))
    return nullptr;
  return type->isFP128Ty() ? "binary128 (__float128, real(16))" : "double-double";
}

} // namespace

std::unique_ptr<llvm::Module> take_reachable(llvm::Module& module, llvm::ArrayRef<llvm::GlobalValue*> roots) {
  for (const char* list : {"llvm.used", "llvm.compiler.used"})
    if (auto* used = module.getGlobalVariable(list, true))
      used->eraseFromParent();
  Reach reach;
  for (llvm::GlobalValue* root : roots)
    reach.add(root);
  for (const char* list : {"llvm.global_ctors", "llvm.global_dtors"})
    if (auto* constructors = module.getGlobalVariable(list, true))
      reach.add(constructors);
  reach.run();
  drop_other_uses(reach);

  std::unique_ptr<llvm::Module> part = empty_like(module);
  for (llvm::Function& function : llvm::make_early_inc_range(module))
    if (reach.contains(&function)) {
      function.removeFromParent();
      part->getFunctionList().push_back(&function);
    }
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals()))
    if (reach.contains(&variable)) {
      variable.removeFromParent();
      part->insertGlobalVariable(&variable);
    }
  for (llvm::GlobalAlias& alias : llvm::make_early_inc_range(module.aliases()))
    if (reach.contains(&alias)) {
      alias.removeFromParent();
      part->insertAlias(&alias);
    }
  for (llvm::GlobalIFunc& function : llvm::make_early_inc_range(module.ifuncs()))
    if (reach.contains(&function)) {
      function.removeFromParent();
      part->insertIFunc(&function);
    }
  return part;
}

void internalize(llvm::Module& module, llvm::ArrayRef<llvm::GlobalValue*> roots) {
  for (llvm::GlobalValue& value : module.global_values()) {
    if (value.isDeclaration() || llvm::is_contained(roots, &value) || value.getName().starts_with("llvm."))
      continue;
    if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(&value))
      object->setComdat(nullptr);
    value.setLinkage(llvm::GlobalValue::InternalLinkage);
    value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    value.setDLLStorageClass(llvm::GlobalValue::DefaultStorageClass);
  }
}

std::string unsupported_format(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const char* format = refused(instruction.getType());
      for (const llvm::Use& operand : instruction.operands())
        if (!format)
          format = refused(operand->getType());
      if (!format)
        continue;
      const llvm::DILocation* location = instruction.getDebugLoc().get();
      if (!location)
        return fmt::format("{} computes in {}", function.getName().str(), format);
      return fmt::format("{}:{}: {} computes in {}", location->getFilename().str(), location->getLine(),
                         function.getName().str(), format);
    }
  }
  return {};
}

} // namespace faultline::program
