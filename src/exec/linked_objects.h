// Compiled objects that code of the JIT is linked with: flang's runtime library, and the machine code of the user's own
// build. Only what the code needs is linked.
#pragma once

#include "program/capture/section.h"

#include <cstdint>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace faultline::exec {

struct Global { // a writable variable of the program
  char* address;
  uint64_t bytes;
};

// What was linked. It grows with each symbol that is looked up.
struct LinkedObjects {
  std::vector<Global> globals;
  std::vector<std::pair<std::string, Global>> constructors; // tables of function pointers, with their section's name
};

// Calls the static constructors of objects. They are code under test, so call this only under guard.
void run_constructors(const LinkedObjects& linked);

// Flang's runtime library for code under test, linked into that code so that it uses our heap and our replacements of
// functions that end the process. Each call restores its variables (units, locks), like the program's own: they point
// into that heap.

// Reads the library's files if they exist. Call this in the supervisor: workers cannot open them.
void load_fortran_runtime();

// Lets code that is linked from now on use the library. `linked` outlives the JIT. Throws std::runtime_error if the
// library is missing.
void add_fortran_runtime(llvm::orc::LLJIT& jit, LinkedObjects& linked);

// The user's own machine code of a function.
class BuiltCode {
public:
  // Finds the function in the objects, or loads the shared library that has it, which runs the library's constructors
  // under guard. Throws UserError if none has it.
  BuiltCode(const std::vector<program::MachineCode>& files, std::string symbol);

  // Lets code that is linked from now on call the function. `linked` outlives the JIT.
  void add_to(llvm::orc::LLJIT& jit, LinkedObjects& linked) const;
  const std::string& compiler() const { return compiler_; } // that built it; may be empty

private:
  class Objects;

  const std::vector<program::MachineCode>& files_;
  std::string symbol_;
  std::string compiler_;
  std::shared_ptr<Objects> objects_; // or null, if it is in a library
  void* address_ = nullptr;          // in a library
};

} // namespace faultline::exec
