// Checks of memory accesses: loads, stores and copies that may lie outside of the object that their address was made
// from. Objects are local and global variables, and heap blocks whose size is known where they are allocated.
//
// The optimiser takes such accesses for impossible: it may fold them to any value. So the plugin of the compiler
// (keep_rounding_plugin.cpp) adds checks before the first optimisation, for addresses that are made in the same
// expression; when pointers in local variables have become values; and after inlining, for all other addresses with a
// known object:
//
//   double t[4]; ... t[i]      call void asm sideeffect "faultline bounds reads 32 t", "r"(i1 %ok)
//
// An assembly statement, because a call would keep functions from being inlined and loops from being unrolled; and a
// branch would tell the optimiser that the access is in bounds. Only our statements have an attribute of the call that
// marks them. Checks that the optimiser proves are removed. After the last optimisation, the others become calls:
//
//   call void @faultline_in_bounds(i1 %ok, i64 0), !faultline.access !{!"reads outside of t, which has 32 bytes"}
//
// The size is that of the whole object. So other fields of a struct, rows of a matrix, flexible array members and
// unions are in bounds. Not checked: memory behind pointers that the code loads or receives.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>
#include <string>
#include <vector>

namespace faultline::program {

void add_early_checks(llvm::Module& module);
// True if it has changed the function.
bool add_late_checks(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
// Removes the checks that the optimiser has proved; true if there was one.
bool remove_proved_checks(llvm::Function& function);
// Makes the rest calls.
void settle_checks(llvm::Module& module);

inline constexpr llvm::StringLiteral check_symbol = "faultline_in_bounds";

// Renames what the code itself calls like this, so that checks never call it. Must be called before modules are linked.
void free_check_symbol(llvm::Module& module);

// The checks of an optimised module.
std::vector<llvm::CallInst*> checks_of(llvm::Module& module);
// Describes the access of a check: "reads outside of t, which has 32 bytes".
std::string checked_access(const llvm::CallInst& check);
bool is_check(const llvm::CallBase& call);

// Writes each check as a branch to a call of a function that does not return. `failed` receives the number that is the
// check's second argument; without arguments, the function is abort.
void expand_checks(llvm::Module& module, llvm::FunctionCallee failed);

} // namespace faultline::program
