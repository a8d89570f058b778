#include "frontend/constant_calls.h"

#include "ops/op.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/TargetParser/Triple.h>

namespace faultline::frontend {
namespace {

// True for functions whose results are rounded, except for few arguments.
bool rounds(llvm::StringRef name) {
  auto is_known = [](llvm::StringRef stem) {
#define FAULTLINE_ROUNDS(function, arity, traits)                                                                      \
  if (ops::has(ops::Op::function, ops::trait::approximate) && stem == #function)                                       \
    return true;
    FAULTLINE_FUNCTIONS(FAULTLINE_ROUNDS)
#undef FAULTLINE_ROUNDS
    return stem == "sqrt";
  };
  return is_known(name) || (name.consume_back("f") && is_known(name)); // long doubles are not folded
}

// True if half of the number's bits are 0. Of rounded numbers only one in 2^26 is like this (one in 2^12 of floats).
bool looks_exact(const llvm::APFloat& number) {
  if (!number.isFiniteNonZero())
    return true;
  const llvm::fltSemantics& format = number.getSemantics();
  llvm::APFloat half = number;
  bool lost = false;
  half.convert(&format == &llvm::APFloat::IEEEdouble() ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEhalf(),
               llvm::APFloat::rmNearestTiesToEven, &lost);
  return !lost;
}

bool is_initialiser(const llvm::Function& function) {
  return function.getName().starts_with("__cxx_global_") || function.getName().starts_with("_GLOBAL__");
}

// True if the optimiser would replace the call by a rounded number.
bool would_be_rounded(const llvm::CallInst& call, const llvm::TargetLibraryInfo& library) {
  llvm::Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration() || !rounds(callee->getName()) || !llvm::canConstantFoldCallTo(&call, callee))
    return false;
  llvm::SmallVector<llvm::Constant*, 2> arguments;
  for (llvm::Value* argument : call.args()) {
    if (!llvm::isa<llvm::ConstantFP>(argument))
      return false;
    arguments.push_back(llvm::cast<llvm::Constant>(argument));
  }
  auto* folded = llvm::dyn_cast_or_null<llvm::ConstantFP>(llvm::ConstantFoldCall(&call, callee, arguments, &library));
  return folded && !looks_exact(folded->getValueAPF());
}

} // namespace

bool keep_constant_calls(llvm::Module& module) {
  const llvm::TargetLibraryInfoImpl known{llvm::Triple(module.getTargetTriple())};
  const llvm::TargetLibraryInfo library(known);
  bool any = false;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && !is_initialiser(function) && would_be_rounded(*call, library)) {
        call->addFnAttr(llvm::Attribute::NoBuiltin);
        any = true;
      }
  return any;
}

} // namespace faultline::frontend
