// LLVM's readers trust their files: on a damaged one they may crash or call abort. While a guard is alive, that ends
// the program with a message about the file and the status for code that cannot be read, instead of a crash.
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

private:
  static constexpr int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE};
  struct sigaction before_[5];
};

} // namespace faultline::frontend
