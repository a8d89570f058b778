// One file of a program as bitcode, compiled or read. It can be opened as a module any number of times.
#pragma once

#include "program/fpcore/expression_writer.h"
#include "program/sources.h"

#include <csignal>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace faultline::program {

class Unit {
public:
  // `module_folder` holds Fortran's module files. Throws UserError if the file is missing, does not compile, or is
  // malformed.
  static Unit read(const std::string& file, const Sources& sources, const std::string& module_folder);

  // Wraps what a build has compiled and linked. Messages refer to it as `file`.
  static Unit of_build(std::string file, const std::string& bitcode);

  // Opens the module lazily: a function and its debug information are read when it is materialized. Parts that a target
  // does not reach cost nothing: in a large library that is nearly everything, and debug information is the larger part
  // of it. Throws UserError if the bitcode is damaged.
  std::unique_ptr<llvm::Module> open(llvm::LLVMContext& context) const;

  const std::string& file() const { return file_; }
  bool is_linked() const { return is_linked_; } // by the build that made it

private:
  Unit(std::string file, std::shared_ptr<llvm::MemoryBuffer> bitcode, bool is_linked = false)
      : file_(std::move(file)), bitcode_(std::move(bitcode)), is_linked_(is_linked) {}

  std::string file_;
  std::shared_ptr<llvm::MemoryBuffer> bitcode_;
  bool is_linked_;
};

// Throw UserError if the bitcode is damaged.
void materialize(llvm::GlobalValue& value);
void materialize_all(llvm::Module& module);

} // namespace faultline::program

namespace faultline::program {

// LLVM's readers trust their input: on a damaged file they may crash, call abort, never end, recurse until the stack is
// full, or take all memory. While a guard is alive, any of these ends the program with a message about the file and the
// exit status for unreadable code, and nothing else is written to the standard error. Guards may be nested.
class ReaderGuard {
public:
  explicit ReaderGuard(const std::string& file);
  ~ReaderGuard();
  ReaderGuard(const ReaderGuard&) = delete;
  ReaderGuard& operator=(const ReaderGuard&) = delete;

  // For small files on a slow machine. Tests set a smaller value.
  static inline double least_seconds = 10;

private:
  static constexpr int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGVTALRM};
  struct sigaction before_[6];
  bool outermost_; // only the outermost guard starts and stops the clock, and limits memory
  stack_t stack_before_;
  rlimit memory_before_;
};

} // namespace faultline::program
