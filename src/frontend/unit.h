// One file of a program as bitcode: compiled, or read. It can be opened as a module any number of times.
#pragma once

#include "frontend/fpcore/expression_writer.h"
#include "frontend/sources.h"

#include <csignal>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <memory>
#include <string>
#include <vector>

namespace faultline::frontend {

class Unit {
public:
  // Fortran's module files go to, and come from, `module_folder`. Throws UserError if the file is not there, does not
  // compile, or is malformed.
  static Unit read(const std::string& file, const Sources& sources, const std::string& module_folder);

  // What a build has compiled and linked; `file` is what messages call it.
  static Unit of_build(std::string file, const std::string& bitcode);

  // Lazily: a function, and what debug information says of it, is read when it is materialized. So what a target does
  // not reach costs nothing: of a large library that is nearly everything, and debug information is the larger part of
  // it. Throws UserError if the bitcode is damaged.
  std::unique_ptr<llvm::Module> open(llvm::LLVMContext& context) const;

  const std::string& file() const { return file_; }
  bool is_linked() const { return is_linked_; } // by the build that it comes from

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

} // namespace faultline::frontend

namespace faultline::frontend::fpcore {

// From a file of FPCores to bitcode: by way of C that is never on disk.

// Throws UserError: the file is wrong, or the flags are.
std::string compile_fpcore(const std::string& file, const std::vector<std::string>& flags, Preconditions preconditions);

} // namespace faultline::frontend::fpcore

namespace faultline::frontend {

// LLVM reads the bitcode of older versions and not of newer ones. Who wrote a file that cannot be read, and what to
// make it with instead.

// `complaint`: of LLVM's reader. `content`: of the file.
std::string producer_advice(const std::string& complaint, llvm::StringRef content);

// LLVM's readers trust their files: on a damaged one they may crash, call abort, or read for ever. While a guard is
// alive, that ends the program with a message about the file and the status for code that cannot be read.
class ReaderGuard {
public:
  explicit ReaderGuard(const std::string& file);
  ~ReaderGuard();
  ReaderGuard(const ReaderGuard&) = delete;
  ReaderGuard& operator=(const ReaderGuard&) = delete;

  // For small files, on a slow machine. Tests have less patience.
  static inline double least_seconds = 10;

private:
  static constexpr int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGVTALRM};
  struct sigaction before_[6];
  bool outermost_; // the clock is started and stopped by one guard
};

} // namespace faultline::frontend
