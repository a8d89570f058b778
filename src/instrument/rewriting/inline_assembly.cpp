#include "instrument/rewriting/inline_assembly.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <optional>

namespace faultline::instrument {
namespace {

using llvm::Value;

// "sqrtsd $1, $0", with one blank where the source has any number; empty if it is not AT&T's assembly, or no assembly.
std::string text_of(const llvm::CallInst& call) {
  auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  if (!assembly || assembly->getDialect() != llvm::InlineAsm::AD_ATT)
    return {};
  llvm::StringRef words = llvm::StringRef(assembly->getAsmString()).trim(" \t\n;");
  std::string text;
  for (const char letter : words)
    if (!llvm::isSpace(letter))
      text += letter;
    else if (text.back() != ' ')
      text += ' ';
  return text;
}

std::string constraints_of(const llvm::CallInst& call) {
  return llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getConstraintString();
}

// The call that made a value, if it is assembly with this text.
const llvm::CallInst* made_by(const Value* value, llvm::StringRef text) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  return call && text_of(*call) == text ? call : nullptr;
}

// All bits but the sign: ones, shifted to the right by one.
bool is_mask_of_sign(const Value* mask) {
  const bool wide = mask->getType()->isDoubleTy();
  const llvm::CallInst* shift = made_by(mask, wide ? "psrlq $$1, $0" : "psrld $$1, $0");
  return shift && shift->arg_size() == 1 && made_by(shift->getArgOperand(0), "pcmpeqd $0, $0");
}

struct Meant {
  llvm::Intrinsic::ID operation;
  Value* operand;
};

std::optional<Meant> meant_by(const llvm::CallInst& call) {
  const std::string text = text_of(call);
  const llvm::Type* type = call.getType();
  if (text.empty() || !llvm::all_of(call.args(), [&](const llvm::Use& use) { return use->getType() == type; }))
    return std::nullopt;
  const std::string constraints = constraints_of(call);
  const bool in_place = llvm::StringRef(constraints).starts_with("=x,0") ||
                        llvm::StringRef(constraints).starts_with("={st},0"); // one number, read and written
  if (call.arg_size() == 1) {
    Value* operand = call.getArgOperand(0);
    const char* root = type->isDoubleTy() ? "sqrtsd" : type->isFloatTy() ? "sqrtss" : nullptr;
    if (root && (text == std::string(root) + " $1, $0" || (in_place && text == std::string(root) + " $0, $0")))
      return Meant{llvm::Intrinsic::sqrt, operand};
    if (type->isX86_FP80Ty() && in_place && text == "fsqrt")
      return Meant{llvm::Intrinsic::sqrt, operand};
    if (type->isX86_FP80Ty() && in_place && text == "fabs")
      return Meant{llvm::Intrinsic::fabs, operand};
  }
  // andps MASK, X: the number is the second argument, the one that is tied to the result.
  if (call.arg_size() == 2 && (type->isDoubleTy() || type->isFloatTy()) && (text == "andps $1, $0") &&
      llvm::StringRef(constraints).starts_with("=x,x,0") && is_mask_of_sign(call.getArgOperand(0)))
    return Meant{llvm::Intrinsic::fabs, call.getArgOperand(1)};
  return std::nullopt;
}

// What assembly without text leaves in each of its results: the operand that is tied to it.
struct Passed {
  std::vector<Value*> returned;
  std::vector<std::pair<Value*, Value*>> stored; // pointer, value
};

// The operand that is tied to this result, or null.
Value* tied_to(size_t result, const llvm::InlineAsm::ConstraintInfoVector& constraints,
               const std::vector<Value*>& operands) {
  for (size_t i = 0; i < constraints.size(); ++i)
    if (constraints[i].Type == llvm::InlineAsm::isInput && constraints[i].Codes.size() == 1 &&
        constraints[i].Codes.front() == std::to_string(result))
      return operands[i];
  return nullptr;
}

std::optional<Passed> passed_by(const llvm::CallInst& call) {
  auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  if (!assembly || !llvm::StringRef(assembly->getAsmString()).trim().empty())
    return std::nullopt;
  const llvm::InlineAsm::ConstraintInfoVector constraints = assembly->ParseConstraints();
  std::vector<Value*> operands; // by constraint; null where there is none
  unsigned argument = 0;
  for (const llvm::InlineAsm::ConstraintInfo& constraint : constraints)
    operands.push_back(constraint.hasArg() && argument < call.arg_size() ? call.getArgOperand(argument++) : nullptr);
  Passed passed;
  for (size_t i = 0; i < constraints.size(); ++i) {
    if (constraints[i].Type != llvm::InlineAsm::isOutput)
      continue;
    Value* const tied = tied_to(i, constraints, operands);
    const bool in_memory =
        constraints[i].isIndirect && llvm::count(operands, operands[i]) > 1; // read and written there
    if (!tied && !in_memory)
      return std::nullopt;
    if (!constraints[i].isIndirect)
      passed.returned.push_back(tied);
    else if (tied)
      passed.stored.emplace_back(operands[i], tied);
  }
  return passed;
}

// False: it is more than a barrier, or its operands are of other types than its results.
bool remove_barrier(llvm::CallInst& call) {
  const std::optional<Passed> passed = passed_by(call);
  if (!passed)
    return false;
  auto* several = llvm::dyn_cast<llvm::StructType>(call.getType());
  for (size_t i = 0; i < passed->returned.size(); ++i)
    if (passed->returned[i]->getType() != (several ? several->getElementType(unsigned(i)) : call.getType()))
      return false;
  llvm::IRBuilder<> builder(&call);
  for (const auto& [pointer, value] : passed->stored)
    builder.CreateStore(value, pointer);
  Value* result = passed->returned.empty() ? nullptr : passed->returned.front();
  if (several) {
    result = llvm::PoisonValue::get(several);
    for (size_t i = 0; i < passed->returned.size(); ++i)
      result = builder.CreateInsertValue(result, passed->returned[i], unsigned(i));
  }
  if (result)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
  return true;
}

} // namespace

void write_assembly_plainly(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const std::optional<Meant> meant = call ? meant_by(*call) : std::nullopt;
    if (call && !meant && remove_barrier(*call))
      continue;
    if (!meant)
      continue;
    llvm::IRBuilder<> builder(call);
    call->replaceAllUsesWith(builder.CreateUnaryIntrinsic(meant->operation, meant->operand));
    call->eraseFromParent();
  }
}

} // namespace faultline::instrument
