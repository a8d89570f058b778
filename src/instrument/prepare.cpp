#include "instrument/instrument.h"

#include "instrument/operations.h"
#include "instrument/rewriting/constrained.h"
#include "instrument/rewriting/inline_assembly.h"
#include "instrument/rewriting/written_out.h"
#include "instrument/rewriting/written_out_matmul.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/CodeGen/ExpandReductions.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace faultline::instrument {
namespace {

bool has_fma(const llvm::Function& function) {
  return function.getFnAttribute("target-features").getValueAsString().contains("+fma");
}

// llvm.fmuladd is one operation where the user's flags allow fused code and the processor has it, else two. Flags that
// permit fusing separate instructions are dropped: nothing fuses that is not an fma in the module.
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
    if (llvm::isa<llvm::FPMathOperator>(instruction))
      instruction.setHasAllowContract(false);
  }
}

// The result of an invoke is there only in its normal destination. Each gets a destination of its own, in which a
// freeze takes the result over: an ordinary instruction, after which code can be inserted.
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

// A libm function whose address is taken gets a function of the module in its place, so that calls through the pointer
// are instrumented like any other.
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
    write_constrained_plainly(function);
    write_assembly_plainly(function);
    settle_invokes(function);
    if (function.hasOptNone()) { // unoptimised code keeps everything in memory, where roundings hide
      function.removeFnAttr(llvm::Attribute::OptimizeNone);
      promote.run(function, functions);
    }
    scalarize.run(function, functions);
    settle_fusion(function);
  }
}

} // namespace faultline::instrument
