// LLVM's readers trust their files: on a damaged one they may crash, call abort, or read for ever. While a guard is
// alive, that ends the program with a message about the file and the status for code that cannot be read.
#pragma once

#include <csignal>
#include <string>

namespace faultline::frontend {

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
