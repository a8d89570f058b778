// The plugin that clang loads (-fpass-plugin; program/keep_rounding.h).
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

void join(llvm::PassBuilder& builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel) { passes.addPass(ModuleChange<keep_rounding>()); });
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(ModuleChange<release_constants>());
  });
}

} // namespace
} // namespace faultline::program

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "faultline-keep-rounding", "1", faultline::program::join};
}
