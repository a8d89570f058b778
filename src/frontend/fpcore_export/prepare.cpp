#include "frontend/fpcore_export/prepare.h"

#include "frontend/error.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Passes/PassBuilder.h>

namespace faultline::frontend::fpcore {
namespace {

// No loop is turned round or unrolled: loops stay as the source has them. Conditions that are cheap are joined, so that
// a && b ends a loop in one place.
constexpr const char* passes =
    "always-inline,function(sroa,instcombine<no-verify-fixpoint>,simplifycfg<bonus-inst-threshold=8>,early-cse,"
    "simplifycfg<bonus-inst-threshold=8>,loop-simplify)";

// What is compiled without optimisation says that it must never be optimised.
void allow_inlining(llvm::Module& module, const llvm::Function& root) {
  for (llvm::Function& function : module) {
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::NoInline);
    if (!function.isDeclaration() && &function != &root)
      function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

} // namespace

Prepared read_module(const std::string& bitcode, const std::string& symbol) {
  Prepared prepared;
  auto module = llvm::parseBitcodeFile({bitcode, symbol}, *prepared.context);
  if (!module)
    throw UserError(status_unsuitable, llvm::toString(module.takeError()), "the bitcode file is damaged: make it anew");
  prepared.module = std::move(*module);
  prepared.function = prepared.module->getFunction(symbol);
  if (!prepared.function || prepared.function->isDeclaration())
    throw UserError(status_unsuitable, fmt::format("{} is not defined", symbol), "faultline list shows the functions");
  return prepared;
}

void simplify(Prepared& prepared) {
  allow_inlining(*prepared.module, *prepared.function);
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  llvm::ModulePassManager manager;
  if (llvm::Error error = builder.parsePassPipeline(manager, passes))
    throw std::logic_error(llvm::toString(std::move(error)));
  manager.run(*prepared.module, modules);
}

} // namespace faultline::frontend::fpcore
