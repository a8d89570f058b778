// A module, compiled to machine code in this process for the baseline processor. Nothing is fused or reordered: what is
// compiled is what the module says.
#pragma once

#include "exec/replacements.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace faultline::exec {

struct Global { // a writable variable of the program
  char* address;
  uint64_t bytes;
};

// How much time the translation to machine code may take. Thorough translation takes five times as long, and its code
// writes a tape a fifth faster (exec/target_code.cpp). The results are the same.
enum class Translation : uint8_t { quick, thorough };

class Jit {
public:
  // Symbols that nobody defines are guarded (exec/replacements.h). Throws UserError if the program does not
  // link.
  Jit(std::unique_ptr<llvm::Module> module, llvm::orc::ThreadSafeContext context, std::span<const Replacement> symbols,
      Translation translation = Translation::thorough);
  ~Jit();

  // Runs the program's static constructors: code under test, so only under guard.
  void initialize();

  void* function(const std::string& name);
  std::span<const Global> globals() const { return globals_; }
  bool has_fortran_runtime() const { return has_fortran_runtime_; }

private:
  bool has_constructors_ = false;
  bool has_fortran_runtime_ = false;
  std::vector<Global> library_globals_; // grows with what is looked up
  std::vector<Global> globals_;         // of all that was linked at first
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

// Flang's runtime library, as code under test gets it: linked into its own code, so that it uses our heap and our ways
// to end a call. What it keeps in variables (units, locks) is put back before each call like the program's own
// variables: it points into that heap.

// Reads the library's files, if there are any. In the supervisor: workers cannot open them.
void load_fortran_runtime();

// Lets code that is linked from now on use the library. Its variables are added to `globals` when it is linked, which
// is when the first symbol is looked up. Throws std::runtime_error if the library is not there.
void add_fortran_runtime(llvm::orc::LLJIT& jit, std::vector<Global>& globals);

// Standard output, of code that has the library.
void flush_fortran_output(Jit& jit);

} // namespace faultline::exec
