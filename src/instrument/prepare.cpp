#include "instrument/instrument.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/CodeGen/ExpandReductions.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
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
        fused = builder.CreateFAdd(builder.CreateFMul(call->getArgOperand(0), call->getArgOperand(1)), call->getArgOperand(2));
      }
      call->replaceAllUsesWith(fused);
      call->eraseFromParent();
    } else if (llvm::isa<llvm::FPMathOperator>(instruction)) {
      instruction.setHasAllowContract(false);
    }
  }
}

// The result of an invoke is recorded at the start of its normal destination, which must be its own.
void split_invoke_edges(llvm::Function& function) {
  llvm::SmallVector<llvm::InvokeInst*, 8> invokes;
  for (llvm::BasicBlock& block : function)
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(block.getTerminator()))
      if (!invoke->getNormalDest()->getSinglePredecessor())
        invokes.push_back(invoke);
  for (llvm::InvokeInst* invoke : invokes)
    llvm::SplitEdge(invoke->getParent(), invoke->getNormalDest());
}

} // namespace

void prepare(llvm::Module& module) {
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

  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    llvm::removeUnreachableBlocks(function);
    scalarize.run(function, functions);
    settle_fusion(function);
    split_invoke_edges(function);
  }
}

} // namespace faultline::instrument
