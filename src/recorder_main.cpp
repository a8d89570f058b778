// lib/faultline/recorder.so, which `faultline record` preloads into every process. It starts with the process, and
// intercepts the few calls that would disable the breakpoints' signal.
#include "recorder/breakpoints.h"
#include "recorder/process.h"

#include <csignal>
#include <dlfcn.h>
#include <pthread.h>

namespace {

using namespace faultline::recorder;

template <class Function> Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

[[gnu::constructor]] void begin() {
  start_recording();
  pthread_atfork(nullptr, nullptr, record_child);
}

// A breakpoint would end the program while its signal is blocked.
const sigset_t* without_trap(const sigset_t* signals, int how, sigset_t& changed) {
  if (!signals || how == SIG_UNBLOCK || !is_recording())
    return signals;
  changed = *signals;
  sigdelset(&changed, SIGTRAP);
  return &changed;
}

} // namespace

extern "C" {

[[gnu::visibility("default")]] int sigaction(int signal, const struct sigaction* action,
                                             struct sigaction* old) noexcept {
  static auto* const real = next<decltype(sigaction)>("sigaction");
  if (signal == SIGTRAP && is_recording()) {
    take_other_traps(action, old);
    return 0;
  }
  if (!action || !is_recording())
    return real(signal, action, old);
  struct sigaction changed = *action;
  sigdelset(&changed.sa_mask, SIGTRAP);
  return real(signal, &changed, old);
}

[[gnu::visibility("default")]] sighandler_t signal(int signal, sighandler_t handler) noexcept {
  static auto* const real = next<decltype(::signal)>("signal");
  if (signal != SIGTRAP || !is_recording())
    return real(signal, handler);
  struct sigaction action {
  }, old{};
  action.sa_handler = handler;
  take_other_traps(&action, &old);
  return old.sa_handler;
}

[[gnu::visibility("default")]] int sigprocmask(int how, const sigset_t* signals, sigset_t* old) noexcept {
  static auto* const real = next<decltype(sigprocmask)>("sigprocmask");
  sigset_t changed;
  return real(how, without_trap(signals, how, changed), old);
}

[[gnu::visibility("default")]] int pthread_sigmask(int how, const sigset_t* signals, sigset_t* old) noexcept {
  static auto* const real = next<decltype(pthread_sigmask)>("pthread_sigmask");
  sigset_t changed;
  return real(how, without_trap(signals, how, changed), old);
}

[[gnu::visibility("default")]] void* dlopen(const char* file, int mode) noexcept {
  static auto* const real = next<decltype(dlopen)>("dlopen");
  void* loaded = real(file, mode);
  if (loaded)
    look_for_new_code();
  return loaded;
}

} // extern "C"
