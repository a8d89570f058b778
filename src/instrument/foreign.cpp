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

const llvm::TargetLibraryInfoImpl& known_library(const llvm::Module& module) {
  static const llvm::TargetLibraryInfoImpl known{llvm::Triple(module.getTargetTriple())};
  return known;
}

bool may_make_floats(const llvm::CallBase& call, const llvm::Function& callee) {
  if (call.doesNotReturn() || is_math_call(call))
    return false;
  if (lane_count(call.getType()) != 0)
    return true;
  if (callee.getName().starts_with("qsort")) // makes none, but hands over what it was given
    return true;
  llvm::LibFunc function;
  return !known_library(*callee.getParent()).getLibFunc(callee, function) && !is_of_a_language(callee.getName()) &&
         may_write(call);
}

std::string shown_name(const llvm::Function& function) {
  const std::string name = llvm::demangle(function.getName().str());
  return name.substr(0, name.find('('));
}

} // namespace

bool is_foreign_call(const llvm::CallBase& call) {
  if (call.isInlineAsm())
    return true;
  const llvm::Function* callee = call.getCalledFunction();
  return callee && callee->isDeclaration() && may_make_floats(call, *callee);
}

std::string called_name(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee ? shown_name(*callee) : call.isInlineAsm() ? "inline assembly" : "a function behind a pointer";
}

std::vector<std::string> foreign_functions(llvm::Module& module, std::span<const std::string> replaced) {
  std::set<std::string> names;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (callee && callee->isDeclaration() && std::ranges::find(replaced, callee->getName()) == replaced.end() &&
          may_make_floats(*call, *callee))
        names.insert(shown_name(*callee));
    }
  return {names.begin(), names.end()};
}

} // namespace faultline::instrument
