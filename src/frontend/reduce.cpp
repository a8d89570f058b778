#include "frontend/reduce.h"

#include <fmt/format.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/Error.h>

namespace faultline::frontend {
namespace {

class Reach {
public:
  void add(llvm::Value* value) {
    auto* constant = llvm::dyn_cast<llvm::Constant>(value);
    if (!constant || !seen_.insert(constant).second)
      return;
    work_.push_back(constant);
  }

  void run() {
    while (!work_.empty()) {
      llvm::Constant* constant = work_.pop_back_val();
      if (auto* function = llvm::dyn_cast<llvm::Function>(constant)) {
        if (llvm::Error error = function->materialize())
          throw std::runtime_error(llvm::toString(std::move(error)));
        for (llvm::Instruction& instruction : llvm::instructions(*function))
          for (llvm::Use& operand : instruction.operands())
            add(operand);
      }
      for (llvm::Use& operand : constant->operands())
        add(operand);
    }
  }

  bool contains(llvm::Constant* constant) const { return seen_.contains(constant); }

private:
  llvm::SmallPtrSet<llvm::Constant*, 32> seen_;
  llvm::SmallVector<llvm::Constant*, 64> work_;
};

const char* refused(const llvm::Type* type) {
  type = type->getScalarType();
  if (type->isHalfTy())
    return "half precision (16 bits)";
  if (type->isBFloatTy())
    return "bfloat16";
  if (type->isFP128Ty())
    return "binary128 (__float128, real(16))";
  if (type->isPPC_FP128Ty())
    return "double-double";
  return nullptr;
}

} // namespace

void keep_reachable(llvm::Module& module, llvm::ArrayRef<llvm::GlobalValue*> roots) {
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

  llvm::SmallVector<llvm::GlobalValue*, 64> dead;
  for (llvm::GlobalValue& value : module.global_values())
    if (!reach.contains(&value))
      dead.push_back(&value);
  for (llvm::GlobalValue* value : dead) {
    if (auto* function = llvm::dyn_cast<llvm::Function>(value))
      function->deleteBody();
    else if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value))
      variable->setInitializer(nullptr);
  }
  for (llvm::GlobalValue* value : dead) {
    value->removeDeadConstantUsers();
    if (!value->use_empty())
      value->replaceAllUsesWith(llvm::PoisonValue::get(value->getType()));
    value->eraseFromParent();
  }
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

} // namespace faultline::frontend
