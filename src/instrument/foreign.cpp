#include "instrument/foreign.h"

#include "instrument/lanes.h"
#include "instrument/operations.h"

#include <algorithm>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/TargetParser/Triple.h>
#include <set>

namespace faultline::instrument {
namespace {

// The input and output of Fortran, the exceptions of C++: they take pointers and make no floats.
bool is_of_a_language(llvm::StringRef name) {
  return name.starts_with("_FortranAio") || name.starts_with("__cxa_") || name.starts_with("_Unwind") ||
         name == "memcpy" || name == "memmove" || name == "memset";
}

bool may_write(const llvm::CallBase& call) {
  if (call.onlyReadsMemory())
    return false;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.getArgOperand(i)->getType()->isPointerTy() && !call.onlyReadsMemory(i))
      return true;
  return false;
}

bool may_make_floats(const llvm::CallBase& call, const llvm::Function& callee,
                     const llvm::TargetLibraryInfoImpl& known) {
  if (call.doesNotReturn() || is_math_call(call))
    return false;
  if (lane_count(call.getType()) != 0)
    return true;
  llvm::LibFunc function;
  return !known.getLibFunc(callee, function) && !is_of_a_language(callee.getName()) && may_write(call);
}

std::string shown_name(const llvm::Function& function) {
  const std::string name = llvm::demangle(function.getName().str());
  return name.substr(0, name.find('('));
}

} // namespace

std::vector<std::string> foreign_functions(llvm::Module& module, std::span<const std::string> replaced) {
  const llvm::TargetLibraryInfoImpl known{llvm::Triple(module.getTargetTriple())};
  std::set<std::string> names;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (callee && callee->isDeclaration() && std::ranges::find(replaced, callee->getName()) == replaced.end() &&
          may_make_floats(*call, *callee, known))
        names.insert(shown_name(*callee));
    }
  return {names.begin(), names.end()};
}

} // namespace faultline::instrument
