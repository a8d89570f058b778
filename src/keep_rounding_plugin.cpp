// The plugin that clang loads (-fpass-plugin; program/keep_rounding.h, program/bounds_check.h).
#include "program/bounds_check.h"
#include "program/keep_rounding.h"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

namespace faultline::program {
namespace {

template <void (*change)(llvm::Module&)> struct ModuleChange : llvm::PassInfoMixin<ModuleChange<change>> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    change(module);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct LateChecks : llvm::PassInfoMixin<LateChecks> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    return add_late_checks(function, analyses) ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
};

struct ProvedChecks : llvm::PassInfoMixin<ProvedChecks> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    llvm::PreservedAnalyses preserved = llvm::PreservedAnalyses::all();
    if (remove_proved_checks(function)) {
      preserved = llvm::PreservedAnalyses::none();
      preserved.preserveSet<llvm::CFGAnalyses>();
    }
    return preserved;
  }
};

void join(llvm::PassBuilder& builder) {
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(ModuleChange<keep_rounding>());
    passes.addPass(ModuleChange<add_early_checks>());
  });
  builder.registerPipelineEarlySimplificationEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(ModuleChange<add_early_checks>()); // pointers in variables are values now
  });
  builder.registerPeepholeEPCallback(
      [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) { passes.addPass(ProvedChecks()); });
  builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) { passes.addPass(LateChecks()); });
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(ModuleChange<settle_checks>());
    passes.addPass(ModuleChange<release_constants>());
  });
}

} // namespace
} // namespace faultline::program

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "faultline-keep-rounding", "1", faultline::program::join};
}
