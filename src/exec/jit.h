// Compiles a module to machine code in this process, for the baseline processor. Operations are neither fused nor
// reordered.
#pragma once

#include "exec/linked_objects.h"
#include "exec/replacements.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace faultline::exec {

// The effort of translation to machine code. Thorough translation takes five times as long, and its code writes a tape
// a fifth faster (exec/target_code.cpp). The results are the same.
enum class Translation : uint8_t { quick, thorough };

class Jit {
public:
  // Undefined symbols are guarded (exec/replacements.h). `built`: the user's own machine code, which the module calls.
  // Throws UserError if the program does not link.
  Jit(std::unique_ptr<llvm::Module> module, llvm::orc::ThreadSafeContext context, std::span<const Replacement> symbols,
      Translation translation = Translation::thorough, const BuiltCode* built = nullptr);
  ~Jit();

  // Runs the program's static constructors. They are code under test, so call this only under guard.
  void initialize();

  void* function(const std::string& name);
  std::span<const Global> globals() const { return globals_; }
  bool has_constructors() const { return has_constructors_; }
  bool has_fortran_runtime() const { return has_fortran_runtime_; }

private:
  bool has_constructors_ = false;
  bool has_fortran_runtime_ = false;
  LinkedObjects linked_;
  std::vector<Global> globals_; // of everything linked at first
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

// Flushes standard output, if the code contains the library.
void flush_fortran_output(Jit& jit);

} // namespace faultline::exec
