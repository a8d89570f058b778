#include "instrument/instrument.h"
#include "instrument/operations.h"
#include "instrument/written_out.h"
#include "program/keep_rounding.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/CodeGen/ExpandReductions.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <optional>

namespace faultline::instrument {

using llvm::Instruction;
using llvm::Value;

namespace {

// Inline assembly that is a single operation, or none. A square root or an absolute value by the processor's
// instruction, as in musl, is replaced by the intrinsic. Assembly without text, a barrier to the optimiser (as in
// Eigen), is replaced by its operands. All other assembly is foreign code.

// Returns the text with single blanks, such as "sqrtsd $1, $0"; empty for anything but assembly in AT&T syntax.
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

// Returns the call that made a value, if it is assembly with this text.
const llvm::CallInst* made_by(const Value* value, llvm::StringRef text) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  return call && text_of(*call) == text ? call : nullptr;
}

// True for a mask of all bits except the sign: ones, shifted to the right by one.
bool is_mask_of_sign(const Value* mask) {
  const bool wide = mask->getType()->isDoubleTy();
  const llvm::CallInst* shift = made_by(mask, wide ? "psrlq $$1, $0" : "psrld $$1, $0");
  return shift && shift->arg_size() == 1 && made_by(shift->getArgOperand(0), "pcmpeqd $0, $0");
}

struct ReplacedAssembly {
  llvm::Intrinsic::ID operation;
  Value* operand;
};

std::optional<ReplacedAssembly> replacement_of(const llvm::CallInst& call) {
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
      return ReplacedAssembly{llvm::Intrinsic::sqrt, operand};
    if (type->isX86_FP80Ty() && in_place && text == "fsqrt")
      return ReplacedAssembly{llvm::Intrinsic::sqrt, operand};
    if (type->isX86_FP80Ty() && in_place && text == "fabs")
      return ReplacedAssembly{llvm::Intrinsic::fabs, operand};
  }
  // andps MASK, X: the number is the second argument, which is tied to the result.
  if (call.arg_size() == 2 && (type->isDoubleTy() || type->isFloatTy()) && (text == "andps $1, $0") &&
      llvm::StringRef(constraints).starts_with("=x,x,0") && is_mask_of_sign(call.getArgOperand(0)))
    return ReplacedAssembly{llvm::Intrinsic::fabs, call.getArgOperand(1)};
  return std::nullopt;
}

// The results of assembly without text: each is the operand tied to it.
struct BarrierResults {
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

std::optional<BarrierResults> barrier_results(const llvm::CallInst& call) {
  auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  if (!assembly || !llvm::StringRef(assembly->getAsmString()).trim().empty())
    return std::nullopt;
  const llvm::InlineAsm::ConstraintInfoVector constraints = assembly->ParseConstraints();
  std::vector<Value*> operands; // by constraint; null if none
  unsigned argument = 0;
  for (const llvm::InlineAsm::ConstraintInfo& constraint : constraints)
    operands.push_back(constraint.hasArg() && argument < call.arg_size() ? call.getArgOperand(argument++) : nullptr);
  BarrierResults results;
  for (size_t i = 0; i < constraints.size(); ++i) {
    if (constraints[i].Type != llvm::InlineAsm::isOutput)
      continue;
    Value* const tied = tied_to(i, constraints, operands);
    const bool in_memory =
        constraints[i].isIndirect && llvm::count(operands, operands[i]) > 1; // read and written there
    if (!tied && !in_memory)
      return std::nullopt;
    if (!constraints[i].isIndirect)
      results.returned.push_back(tied);
    else if (tied)
      results.stored.emplace_back(operands[i], tied);
  }
  return results;
}

// Replaces a barrier by its operands. False if the assembly is not a barrier or the types of operands and results
// differ.
bool remove_barrier(llvm::CallInst& call) {
  const std::optional<BarrierResults> results = barrier_results(call);
  if (!results)
    return false;
  auto* several = llvm::dyn_cast<llvm::StructType>(call.getType());
  for (size_t i = 0; i < results->returned.size(); ++i)
    if (results->returned[i]->getType() != (several ? several->getElementType(unsigned(i)) : call.getType()))
      return false;
  llvm::IRBuilder<> builder(&call);
  for (const auto& [pointer, value] : results->stored)
    builder.CreateStore(value, pointer);
  Value* result = results->returned.empty() ? nullptr : results->returned.front();
  if (several) {
    result = llvm::PoisonValue::get(several);
    for (size_t i = 0; i < results->returned.size(); ++i)
      result = builder.CreateInsertValue(result, results->returned[i], unsigned(i));
  }
  if (result)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
  return true;
}

void write_assembly_plainly(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const std::optional<ReplacedAssembly> replacement = call ? replacement_of(*call) : std::nullopt;
    if (call && !replacement && remove_barrier(*call))
      continue;
    if (!replacement)
      continue;
    llvm::IRBuilder<> builder(call);
    call->replaceAllUsesWith(builder.CreateUnaryIntrinsic(replacement->operation, replacement->operand));
    call->eraseFromParent();
  }
}

bool has_fma(const llvm::Function& function) {
  return function.getFnAttribute("target-features").getValueAsString().contains("+fma");
}

// Turns llvm.fmuladd into one operation if the user's flags allow fused code and the processor has it, else into two.
// Drops flags that permit fusing separate instructions, so that only fma instructions of the module are fused, and
// notes which they were.
void settle_fusion(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == llvm::Intrinsic::fmuladd) {
      llvm::IRBuilder<> builder(call);
      llvm::Value* fused;
      if (has_fma(function)) {
        fused = builder.CreateIntrinsic(llvm::Intrinsic::fma, {call->getType()},
                                        {call->getArgOperand(0), call->getArgOperand(1), call->getArgOperand(2)});
      } else {
        fused = builder.CreateFAdd(builder.CreateFMul(call->getArgOperand(0), call->getArgOperand(1)),
                                   call->getArgOperand(2));
      }
      call->replaceAllUsesWith(fused);
      call->eraseFromParent();
      continue;
    }
    if (llvm::isa<llvm::FPMathOperator>(instruction)) {
      if (instruction.hasAllowContract() && has_fma(function))
        instruction.setMetadata(may_be_fused, llvm::MDNode::get(function.getContext(), {}));
      instruction.setHasAllowContract(false);
    }
  }
}

// Writes a conversion of an integer that may round as two: to a format that holds every value of the integer, and from
// there to the format of the result. The first is exact; the second is an operation that rounds.
void split_rounding_conversions(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getDataLayout();
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const bool is_signed = llvm::isa<llvm::SIToFPInst>(instruction);
    llvm::Type* type = instruction.getType();
    if (!(is_signed || llvm::isa<llvm::UIToFPInst>(instruction)) || !type->isFloatingPointTy())
      continue;
    Value* integer = instruction.getOperand(0);
    const unsigned bits = is_signed ? llvm::ComputeMaxSignificantBits(integer, layout) - 1
                                    : llvm::computeKnownBits(integer, layout).countMaxActiveBits();
    if (bits <= llvm::APFloat::semanticsPrecision(type->getFltSemantics()) || bits > 64)
      continue;
    llvm::IRBuilder<> builder(&instruction);
    llvm::Type* wide = bits <= 53 ? builder.getDoubleTy() : llvm::Type::getX86_FP80Ty(function.getContext());
    Value* exact = is_signed ? builder.CreateSIToFP(integer, wide) : builder.CreateUIToFP(integer, wide);
    instruction.replaceAllUsesWith(builder.CreateFPTrunc(exact, type));
    instruction.eraseFromParent();
  }
}

// The result of an invoke exists only in its normal destination. Gives each invoke its own destination, with a freeze
// of the result: an ordinary instruction after which code can be inserted.
void settle_invokes(llvm::Function& function) {
  llvm::SmallVector<llvm::InvokeInst*, 8> invokes;
  for (llvm::BasicBlock& block : function)
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(block.getTerminator());
        invoke && !invoke->getType()->isVoidTy())
      invokes.push_back(invoke);
  for (llvm::InvokeInst* invoke : invokes) {
    if (invoke->getNormalDest()->getSinglePredecessor())
      llvm::FoldSingleEntryPHINodes(invoke->getNormalDest());
    llvm::BasicBlock* own = llvm::SplitEdge(invoke->getParent(), invoke->getNormalDest());
    llvm::IRBuilder<> builder(&*own->getFirstInsertionPt());
    auto* result = llvm::cast<llvm::Instruction>(builder.CreateFreeze(invoke));
    invoke->replaceUsesWithIf(result, [&](llvm::Use& use) { return use.getUser() != result; });
  }
}

// Replaces a libm function whose address is taken by a function of the module, so that calls through the pointer are
// instrumented like all others.
void wrap_math_pointers(llvm::Module& module) {
  llvm::SmallVector<llvm::Function*, 8> taken;
  for (llvm::Function& function : module)
    if (is_math_function(function) && function.hasAddressTaken())
      taken.push_back(&function);
  for (llvm::Function* function : taken) {
    llvm::SmallVector<llvm::CallBase*, 8> direct;
    for (llvm::User* user : function->users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledOperand() == function)
        direct.push_back(call);
    auto* wrapper = llvm::Function::Create(function->getFunctionType(), llvm::GlobalValue::InternalLinkage,
                                           "faultline." + function->getName(), module);
    function->replaceAllUsesWith(wrapper);
    for (llvm::CallBase* call : direct)
      call->setCalledOperand(function);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", wrapper));
    llvm::SmallVector<llvm::Value*, 3> arguments;
    for (llvm::Argument& argument : wrapper->args())
      arguments.push_back(&argument);
    llvm::Value* result = builder.CreateCall(function, arguments);
    if (result->getType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(result);
  }
}

} // namespace

void prepare(llvm::Module& module) {
  write_out_calls(module);
  write_out_matmul(module);
  wrap_math_pointers(module);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  llvm::ScalarizerPassOptions options;
  options.ScalarizeLoadStore = true;
  options.ScalarizeVariableInsertExtract = true;
  llvm::FunctionPassManager scalarize;
  scalarize.addPass(llvm::ExpandReductionsPass());
  scalarize.addPass(llvm::ScalarizerPass(options));
  scalarize.addPass(llvm::DCEPass());

  llvm::FunctionPassManager promote;
  promote.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));

  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    llvm::removeUnreachableBlocks(function);
    program::write_constrained_plainly(function);
    write_assembly_plainly(function);
    settle_invokes(function);
    if (function.hasOptNone()) { // unoptimised code keeps all values in memory, which hides roundings
      function.removeFnAttr(llvm::Attribute::OptimizeNone);
      promote.run(function, functions);
    }
    scalarize.run(function, functions);
    split_rounding_conversions(function);
    settle_fusion(function);
  }
}

} // namespace faultline::instrument
