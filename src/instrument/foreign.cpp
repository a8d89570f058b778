#include "instrument/foreign.h"

#include "instrument/lanes.h"
#include "instrument/operations.h"
#include "instrument/rewriting/written_out_matmul.h"

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
  if (call.doesNotReturn() || is_math_call(call) || is_written_out(call))
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

// The name of a routine of Fortran's library that makes a number or an array of arrays, without what all have in
// common; empty if it is none. Complex numbers are returned through a pointer (Cpp).
llvm::StringRef array_routine(const llvm::CallBase& call) {
  static constexpr llvm::StringLiteral routines[] = {
      "Assign", "CopyInAssign", "Cshift",  "DotProduct", "Eoshift", "Matmul", "Maxval",    "Minval",
      "Norm2",  "Pack",         "Product", "Reshape",    "Spread",  "Sum",    "Transpose", "Unpack"};
  const llvm::Function* callee = call.getCalledFunction();
  llvm::StringRef name = callee ? callee->getName() : "";
  if (!name.consume_front("_FortranA"))
    return {};
  name.consume_front("Cpp");
  return llvm::any_of(routines, [&](llvm::StringRef routine) { return name.starts_with(routine); }) ? name
                                                                                                    : llvm::StringRef();
}

} // namespace

bool is_foreign_call(const llvm::CallBase& call) {
  if (call.isInlineAsm())
    return true;
  const llvm::Function* callee = call.getCalledFunction();
  return callee && callee->isDeclaration() && may_make_floats(call, *callee);
}

bool rounds_on_its_own(const llvm::CallBase& call) {
  static constexpr llvm::StringLiteral sums[] = {"Matmul", "DotProduct", "Sum", "Product", "Norm2"};
  const llvm::StringRef routine = array_routine(call);
  return llvm::any_of(sums, [&](llvm::StringRef name) { return routine.starts_with(name); });
}

bool only_reads_elements(const llvm::CallBase& call, unsigned argument) {
  return !array_routine(call).empty() && (argument != 0 || lane_count(call.getType()) != 0);
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
