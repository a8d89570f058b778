// The plugin that clang loads (-fpass-plugin). It marks calls before any optimisation (frontend/constant_calls.h).
#include "frontend/constant_calls.h"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

namespace faultline::frontend {
namespace {

struct KeepConstantCalls : llvm::PassInfoMixin<KeepConstantCalls> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    return keep_constant_calls(module) ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

void join(llvm::PassBuilder& builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel) { passes.addPass(KeepConstantCalls()); });
}

} // namespace
} // namespace faultline::frontend

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "faultline-constant-calls", "1", faultline::frontend::join};
}
