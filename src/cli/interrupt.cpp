#include "cli/interrupt.h"

#include <csignal>

namespace faultline::cli {
namespace {

std::atomic<bool> stop = false;
static_assert(std::atomic<bool>::is_always_lock_free, "it is set in a signal handler");

constexpr int signals[] = {SIGINT, SIGTERM};

// Either signal may come second: both go back to killing.
void on_signal(int) {
  stop = true;
  for (const int signal : signals)
    std::signal(signal, SIG_DFL);
}

} // namespace

Interrupt::Interrupt() {
  stop = false;
  struct sigaction action {};
  action.sa_handler = on_signal; // no SA_RESTART: whoever waits wakes up
  for (const int signal : signals) {
    struct sigaction old {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_IGN) // nohup and background shells mean it
      sigaction(signal, &action, nullptr);
  }
}

Interrupt::~Interrupt() {
  for (const int signal : signals) {
    struct sigaction old {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler == on_signal)
      std::signal(signal, SIG_DFL);
  }
}

const std::atomic<bool>& Interrupt::flag() const { return stop; }

} // namespace faultline::cli
