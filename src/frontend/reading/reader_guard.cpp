#include "frontend/reading/reader_guard.h"

#include "frontend/error.h"

#include <filesystem>
#include <iterator>
#include <sys/time.h>
#include <unistd.h>

namespace faultline::frontend {
namespace {

std::string message; // made before anything can go wrong

void on_crash(int) {
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, message.data(), message.size());
  _exit(status_unsuitable);
}

// CPU time that reading may take. LLVM reads all of GSL, 15 MB, in 1.9 s: a second a megabyte is eight times as long.
double seconds_for(const std::string& file) {
  std::error_code missing;
  const uintmax_t bytes = std::filesystem::file_size(file, missing);
  return ReaderGuard::least_seconds + (missing ? 0 : double(bytes) / 1e6);
}

// 0 stops it.
void set_clock(double seconds) {
  itimerval clock = {};
  clock.it_value.tv_sec = long(seconds);
  clock.it_value.tv_usec = long((seconds - double(clock.it_value.tv_sec)) * 1e6);
  setitimer(ITIMER_VIRTUAL, &clock, nullptr);
}

bool clock_runs() {
  itimerval clock = {};
  getitimer(ITIMER_VIRTUAL, &clock);
  return clock.it_value.tv_sec != 0 || clock.it_value.tv_usec != 0;
}

} // namespace

ReaderGuard::ReaderGuard(const std::string& file) : outermost_(!clock_runs()) {
  static_assert(std::size(signals) == std::size(decltype(before_){}));
  message = "faultline: error: " + file +
            ": is damaged: LLVM's reader does not survive it\n  try: make it anew with clang-19 -O2 -g -emit-llvm\n";
  struct sigaction action = {};
  action.sa_handler = on_crash;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < std::size(signals); ++i)
    sigaction(signals[i], &action, &before_[i]);
  if (outermost_)
    set_clock(seconds_for(file));
}

ReaderGuard::~ReaderGuard() {
  if (outermost_)
    set_clock(0);
  for (size_t i = 0; i < std::size(signals); ++i)
    sigaction(signals[i], &before_[i], nullptr);
}

} // namespace faultline::frontend
