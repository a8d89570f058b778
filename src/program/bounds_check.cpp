#include "program/bounds_check.h"

#include <llvm/Analysis/LazyValueInfo.h>
#include <llvm/Analysis/MemoryBuiltins.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace faultline::program {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr llvm::StringLiteral beginning = "faultline bounds ";
constexpr llvm::StringLiteral assembly_mark = "faultline-bounds";
constexpr llvm::StringLiteral checked_mark = "faultline.checked";
constexpr llvm::StringLiteral access_mark = "faultline.access";

// A part of memory that an instruction reads or writes.
struct Access {
  Value* pointer;
  Value* bytes;
  bool writes;
};

llvm::SmallVector<Access, 2> accesses_of(Instruction& instruction, const llvm::DataLayout& layout) {
  auto of = [&](Value* pointer, llvm::Type* type, bool writes) -> llvm::SmallVector<Access, 2> {
    const llvm::TypeSize bytes = layout.getTypeStoreSize(type);
    if (bytes.isScalable() || bytes.isZero())
      return {};
    return {{pointer, llvm::ConstantInt::get(llvm::Type::getInt64Ty(type->getContext()), bytes), writes}};
  };
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return of(load->getPointerOperand(), load->getType(), false);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return of(store->getPointerOperand(), store->getValueOperand()->getType(), true);
  if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
    return {{copy->getRawDest(), copy->getLength(), true}, {copy->getRawSource(), copy->getLength(), false}};
  if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&instruction))
    return {{set->getRawDest(), set->getLength(), true}};
  return {};
}

bool is_check_in_assembly(const Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->isInlineAsm() && call->getAttributes().hasFnAttr(assembly_mark);
}

llvm::FunctionType* type_of_check(llvm::LLVMContext& context) {
  return llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                 {llvm::Type::getInt1Ty(context), llvm::Type::getInt64Ty(context)}, false);
}

std::string name_of(Value& object) {
  if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&object)) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> descriptions;
    global->getDebugInfo(descriptions);
    return descriptions.empty() ? "a constant" : descriptions.front()->getVariable()->getName().str();
  }
  auto* local = llvm::dyn_cast<llvm::AllocaInst>(&object);
  if (!local)
    return "a block of the heap";
  for (llvm::DbgVariableIntrinsic* declared : llvm::findDbgDeclares(&object))
    return declared->getVariable()->getName().str();
  for (llvm::DbgVariableRecord* declared : llvm::findDVRDeclares(&object))
    return declared->getVariable()->getName().str();
  for (llvm::DbgVariableRecord* assigned : llvm::at::getDVRAssignmentMarkers(local))
    return assigned->getVariable()->getName().str();
  return "a local variable";
}

// True if the object is one that the code itself makes.
bool is_object(const Value& object) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&object);
  return llvm::isa<llvm::AllocaInst>(object) || llvm::isa<llvm::GlobalVariable>(object) ||
         (call && call->returnDoesNotAlias());
}

// Adds the checks of one function.
class Checks {
public:
  Checks(llvm::Function& function, const llvm::TargetLibraryInfo& library, llvm::ScalarEvolution* evolution,
         llvm::LazyValueInfo* ranges)
      : function_(function), layout_(function.getDataLayout()), evolution_(evolution), ranges_(ranges),
        evaluator_(layout_, &library, function.getContext(), options()) {}

  bool add() {
    const unsigned mark = function_.getContext().getMDKindID(checked_mark);
    llvm::SmallVector<Instruction*, 32> unchecked;
    for (Instruction& instruction : llvm::instructions(function_))
      if (!instruction.hasMetadata(mark) &&
          llvm::any_of(accesses_of(instruction, layout_), [&](const Access& access) { return may_need_check(access); }))
        unchecked.push_back(&instruction);
    for (Instruction* instruction : unchecked)
      for (const Access& access : accesses_of(*instruction, layout_))
        if (may_need_check(access))
          check(*instruction, access);
    return !unchecked.empty();
  }

private:
  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  llvm::ScalarEvolution* evolution_; // null before the first optimisation, as is `ranges_`
  llvm::LazyValueInfo* ranges_;
  llvm::ObjectSizeOffsetEvaluator evaluator_;

  static llvm::ObjectSizeOpts options() {
    llvm::ObjectSizeOpts options;
    options.NullIsUnknownSize = true;
    return options;
  }

  // False if the object is not known, or if its size and constants alone show that the access is in bounds.
  bool may_need_check(const Access& access) const {
    const Value* object = llvm::getUnderlyingObject(access.pointer, 0);
    if (llvm::isa<llvm::PHINode>(object) || llvm::isa<llvm::SelectInst>(object))
      return evolution_ != nullptr;
    if (!is_object(*object))
      return false;
    auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
    uint64_t left = 0; // from the address to the end of the object
    llvm::APInt offset(64, 0);
    const bool fixed = access.pointer->stripAndAccumulateConstantOffsets(layout_, offset, true) == object;
    return !(bytes && fixed && !offset.isNegative() && llvm::getObjectSize(access.pointer, left, layout_, nullptr) &&
             left >= bytes->getZExtValue());
  }

  void check(Instruction& instruction, const Access& access) {
    const llvm::SizeOffsetValue place = evaluator_.compute(access.pointer);
    if (!place.bothKnown())
      return;
    instruction.setMetadata(checked_mark, llvm::MDNode::get(function_.getContext(), {}));
    llvm::IRBuilder<> builder(&instruction);
    Value* bytes = builder.CreateZExtOrTrunc(access.bytes, place.Size->getType());
    Value* in_bounds = condition(builder, place, bytes, instruction);
    if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(in_bounds); constant && constant->isOne())
      return;
    auto* type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getInt1Ty()}, false);
    auto* size = llvm::dyn_cast<llvm::ConstantInt>(place.Size);
    const std::string text = (beginning + (access.writes ? "writes " : "reads ") +
                              (size ? std::to_string(size->getZExtValue()) : std::string("?")) + " " +
                              name_of(*llvm::getUnderlyingObject(access.pointer, 0)))
                                 .str();
    llvm::CallInst* call =
        builder.CreateCall(type, llvm::InlineAsm::get(type, text, "r", /*hasSideEffects=*/true), {in_bounds});
    call->setDoesNotThrow();
    call->addFnAttr(llvm::Attribute::WillReturn);
    call->addFnAttr(llvm::Attribute::get(call->getContext(), assembly_mark));
    call->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  }

  // True if no value of the integer at this place is larger.
  bool is_at_most(Value* value, const llvm::APInt& limit, Instruction& where) const {
    if (!evolution_)
      return false;
    if (evolution_->isSCEVable(value->getType()) &&
        evolution_->getUnsignedRange(evolution_->getSCEV(value)).getUnsignedMax().ule(limit))
      return true;
    return ranges_->getConstantRange(value, &where, true).getUnsignedMax().ule(limit);
  }

  Value* condition(llvm::IRBuilder<>& builder, const llvm::SizeOffsetValue& place, Value* bytes, Instruction& where) {
    auto* size = llvm::dyn_cast<llvm::ConstantInt>(place.Size);
    auto* length = llvm::dyn_cast<llvm::ConstantInt>(bytes);
    if (size && length) { // one comparison
      if (size->getValue().ult(length->getValue()))
        return builder.getFalse();
      const llvm::APInt last = size->getValue() - length->getValue();
      return is_at_most(place.Offset, last, where) ? builder.getTrue()
                                                   : builder.CreateICmpULE(place.Offset, builder.getInt(last));
    }
    Value* begins = builder.CreateICmpULE(place.Offset, place.Size);
    Value* ends = builder.CreateICmpULE(bytes, builder.CreateSub(place.Size, place.Offset));
    return builder.CreateAnd(begins, ends);
  }
};

bool is_covered(const llvm::Function& function) {
  return !function.isDeclaration() && !function.hasFnAttribute(llvm::Attribute::Naked);
}

} // namespace

void add_early_checks(llvm::Module& module) {
  const llvm::TargetLibraryInfoImpl known{llvm::Triple(module.getTargetTriple())};
  const llvm::TargetLibraryInfo library(known);
  for (llvm::Function& function : module)
    if (is_covered(function))
      Checks(function, library, nullptr, nullptr).add();
}

bool add_late_checks(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  return is_covered(function) && Checks(function, analyses.getResult<llvm::TargetLibraryAnalysis>(function),
                                        &analyses.getResult<llvm::ScalarEvolutionAnalysis>(function),
                                        &analyses.getResult<llvm::LazyValueAnalysis>(function))
                                     .add();
}

bool remove_proved_checks(llvm::Function& function) {
  bool any = false;
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (is_check_in_assembly(instruction) && llvm::isa<llvm::Constant>(instruction.getOperand(0)) &&
        !llvm::cast<llvm::Constant>(instruction.getOperand(0))->isNullValue()) {
      instruction.eraseFromParent();
      any = true;
    }
  return any;
}

void free_check_symbol(llvm::Module& module) {
  llvm::GlobalValue* value = module.getNamedValue(check_symbol);
  if (value && (!value->isDeclaration() || value->isMaterializable() ||
                value->getValueType() != type_of_check(module.getContext())))
    value->setName("own." + check_symbol);
}

void settle_checks(llvm::Module& module) {
  free_check_symbol(module);
  llvm::LLVMContext& context = module.getContext();
  for (llvm::Function& function : module) {
    remove_proved_checks(function);
    for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (!is_check_in_assembly(instruction))
        continue;
      auto& assembly = llvm::cast<llvm::CallInst>(instruction);
      llvm::IRBuilder<> builder(&assembly);
      const llvm::FunctionCallee callee = module.getOrInsertFunction(check_symbol, type_of_check(context));
      llvm::CallInst* call = builder.CreateCall(callee, {assembly.getArgOperand(0), builder.getInt64(0)});
      const llvm::StringRef text =
          llvm::StringRef(llvm::cast<llvm::InlineAsm>(assembly.getCalledOperand())->getAsmString())
              .drop_front(beginning.size());
      const auto [direction, rest] = text.split(' ');
      const auto [bytes, name] = rest.split(' ');
      const std::string words =
          (direction + " outside of " + name + (bytes == "?" ? "" : ", which has " + bytes.str() + " bytes")).str();
      call->setMetadata(access_mark, llvm::MDNode::get(context, llvm::MDString::get(context, words)));
      call->setAttributes(assembly.getAttributes());
      assembly.eraseFromParent();
    }
  }
}

bool is_check(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee && callee->getName() == check_symbol &&
         callee->getFunctionType() == type_of_check(callee->getContext()) && llvm::isa<llvm::CallInst>(call);
}

std::vector<llvm::CallInst*> checks_of(llvm::Module& module) {
  std::vector<llvm::CallInst*> checks;
  if (module.getFunction(check_symbol))
    for (llvm::Function& function : module) // in the order of the code, as the uses have none
      for (Instruction& instruction : llvm::instructions(function))
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && is_check(*call))
          checks.push_back(call);
  return checks;
}

std::string checked_access(const llvm::CallInst& check) {
  const llvm::MDNode* node = check.getMetadata(access_mark);
  const auto* words =
      node && node->getNumOperands() == 1 ? llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(0)) : nullptr;
  return words ? words->getString().str() : "";
}

void expand_checks(llvm::Module& module, llvm::FunctionCallee failed) {
  const std::vector<llvm::CallInst*> checks = checks_of(module);
  for (llvm::CallInst* check : llvm::reverse(checks)) { // a block is split faster at its end
    llvm::IRBuilder<> builder(check);
    Instruction* end =
        llvm::SplitBlockAndInsertIfThen(builder.CreateNot(check->getArgOperand(0)), check, /*Unreachable=*/true);
    builder.SetInsertPoint(end);
    llvm::SmallVector<Value*, 1> number;
    if (failed.getFunctionType()->getNumParams() == 1)
      number.push_back(check->getArgOperand(1));
    builder.CreateCall(failed, number);
    check->eraseFromParent();
  }
}

} // namespace faultline::program
