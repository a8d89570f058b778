// A target's code: the part of the program that it needs, prepared once and compiled in three versions. Taped code is
// compiled at once by quick translation, and again by thorough translation when enough runs make that pay. Lifted and
// native code are compiled on first use, because many targets never need them.
#pragma once

#include "exec/heap.h"
#include "exec/jit.h"
#include "exec/session.h"
#include "instrument/instrument.h"
#include "ops/op.h"

#include <llvm/IR/Module.h>
#include <memory>
#include <string>
#include <vector>

namespace faultline::exec {

// One compiled version, after its static constructors.
struct Code {
  std::unique_ptr<Jit> jit;
  void (*driver)(void*) = nullptr;
  std::vector<char> globals; // values of the variables at the start of each call

  explicit operator bool() const { return jit != nullptr; }
};

class TargetCode {
public:
  // Throws UserError if the program cannot be compiled. All versions throw it if static constructors fail.
  TargetCode(program::Program program, const model::Target& target, const Limits& limits, const Recording& recording,
             const program::Handlers& handlers, CallInProgress* progress = nullptr);

  const Code& taped();
  bool has_lifted() const { return bool(lifted_); }
  const Code& lifted(); // set a lifter before the first call: static constructors run lifted, too
  const Code& native();
  // The machine code of the user's own build. Throws UserError if it cannot be called.
  const Code& built();
  const std::string& builder() const { return builder_; } // the compiler that made it; may be empty

  // Counts the records of a taped run.
  void count(uint64_t records) { records_ += records; }

  // Restores the variables and the heap to the state after static constructors.
  void restore(const Code& code);

  // Flushes output of the last taped run that a library still buffers.
  void flush_output();

  const runtime::SiteTable& sites() const { return table_; }
  void note_tolerance(uint32_t site, int operand) { table_.sites[site].tolerances |= uint8_t(1 << operand); }
  void round_on_purpose(uint32_t site) { table_.sites[site].op = ops::rounding_on_purpose(table_.sites[site].op); }
  // The called functions that are not instrumented and may make floats (instrument/site_builder.h).
  const std::vector<std::string>& foreign() const { return foreign_; }

private:
  runtime::SiteTable instrument(llvm::Module& module, instrument::Execution execution) const;
  std::unique_ptr<Jit> compile(std::unique_ptr<llvm::Module> module, Translation translation);
  std::unique_ptr<llvm::Module> without_lines() const; // a copy of the program
  std::unique_ptr<Jit> compile_lifted();
  std::unique_ptr<Jit> compile_call_of_built();
  Code start(std::unique_ptr<Jit> jit);

  program::Program program_; // reduced to the target
  const model::Target& target_;
  const Limits& limits_;
  CallInProgress* progress_; // marks static constructors as running; may be null
  Recording recording_;
  Heap heap_;
  llvm::orc::ThreadSafeContext context_;
  std::unique_ptr<llvm::Module> pristine_; // prepared, not instrumented, without debug information
  runtime::SiteTable table_;
  std::vector<std::string> foreign_;
  Translation translation_ = Translation::quick; // of the taped code
  uint64_t records_ = 0;                         // of all taped runs
  std::unique_ptr<Jit> unstarted_;               // lifted code before its first use
  std::string builder_;
  Code taped_, lifted_, native_, built_;
};

} // namespace faultline::exec
