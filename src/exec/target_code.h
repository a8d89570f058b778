// A target's code: its part of the program, prepared once, and compiled in three versions. Taped code is made at once,
// by quick translation, and again by thorough translation if it is run so much that this pays; lifted and native code
// are made when they are first asked for, as many targets never need them.
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

// One version, compiled, its static constructors run.
struct Code {
  std::unique_ptr<Jit> jit;
  void (*driver)(void*) = nullptr;
  std::vector<char> globals; // the variables' values when a call begins

  explicit operator bool() const { return jit != nullptr; }
};

class TargetCode {
public:
  // Throws UserError if the program cannot be compiled, as the others do if its static constructors fail.
  TargetCode(frontend::Program program, const frontend::Target& target, const Limits& limits,
             const Recording& recording, const frontend::Handlers& handlers, Flight* flight = nullptr);

  const Code& taped();
  bool has_lifted() const { return bool(lifted_); }
  const Code& lifted(); // the first time with a lifter set: static constructors run lifted, too
  const Code& native();

  // A taped run has left so many records.
  void count(uint64_t records) { records_ += records; }

  // The variables and the heap, as static constructors left them.
  void restore(const Code& code);

  // What the last taped run has printed, and a library still holds back.
  void flush_output();

  const runtime::SiteTable& sites() const { return table_; }
  void note_tolerance(uint32_t site, int operand) { table_.sites[site].tolerances |= uint8_t(1 << operand); }
  void round_on_purpose(uint32_t site) { table_.sites[site].op = ops::rounding_on_purpose(table_.sites[site].op); }
  // Functions that are called, are not instrumented, and may make floats (instrument/site_builder.h).
  const std::vector<std::string>& foreign() const { return foreign_; }

private:
  runtime::SiteTable instrument(llvm::Module& module, instrument::Execution execution) const;
  std::unique_ptr<Jit> compile(std::unique_ptr<llvm::Module> module, Translation translation);
  std::unique_ptr<Jit> compile_lifted();
  Code start(std::unique_ptr<Jit> jit);

  frontend::Program program_; // what is left of it
  const frontend::Target& target_;
  const Limits& limits_;
  Flight* flight_; // told of static constructors; may be null
  Recording recording_;
  Heap heap_;
  llvm::orc::ThreadSafeContext context_;
  std::unique_ptr<llvm::Module> pristine_; // prepared, not instrumented, without debug information
  runtime::SiteTable table_;
  std::vector<std::string> foreign_;
  Translation translation_ = Translation::quick; // of the taped code
  uint64_t records_ = 0;                         // of all taped runs
  std::unique_ptr<Jit> unstarted_;               // lifted code, until it is needed
  Code taped_, lifted_, native_;
};

} // namespace faultline::exec
