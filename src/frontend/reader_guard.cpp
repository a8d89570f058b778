#include "frontend/reader_guard.h"

#include "frontend/error.h"

#include <cstring>
#include <iterator>
#include <unistd.h>

namespace faultline::frontend {
namespace {

std::string message; // made before anything can go wrong

void on_crash(int) {
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, message.data(), message.size());
  _exit(status_unsuitable);
}

} // namespace

ReaderGuard::ReaderGuard(const std::string& file) {
  static_assert(std::size(signals) == std::size(decltype(before_){}));
  message = "faultline: error: " + file +
            ": is damaged: LLVM's reader does not survive it\n  try: make it anew with clang-19 -O2 -g -emit-llvm\n";
  struct sigaction action = {};
  action.sa_handler = on_crash;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < std::size(signals); ++i)
    sigaction(signals[i], &action, &before_[i]);
}

ReaderGuard::~ReaderGuard() {
  for (size_t i = 0; i < std::size(signals); ++i)
    sigaction(signals[i], &before_[i], nullptr);
}

} // namespace faultline::frontend
