#include "recorder/pace.h"

#include <algorithm>
#include <csignal>
#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>

namespace faultline::recorder {
namespace {

// Long enough for hundreds of calls, short against what a program does in a phase: a guess.
constexpr uint64_t window_nanoseconds = 10'000'000;
constexpr uint64_t share = 4; // of it is for recording: beside it stands the one call of each function
// What recording may take at first, whatever the program does: nobody notices a twentieth of a second.
constexpr uint64_t first_nanoseconds = 50'000'000;
// At least, of one function in a window: below, the first calls of a short program would be lost.
constexpr uint64_t few = 16;

uint64_t cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return uint64_t(now.tv_sec) * 1'000'000'000 + uint64_t(now.tv_nsec);
}

} // namespace

// By system calls: the C library's would allocate, and its timers do not survive a fork either.
void Pace::start_timer() {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGTRAP;
  int timer = -1;
  timer_ = syscall(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, &event, &timer) == 0 ? timer : -1;
  begin_window();
}

// Its signal would end the program once nobody handles it.
void Pace::stop_timer() {
  if (timer_ >= 0)
    syscall(SYS_timer_delete, timer_);
  timer_ = -1;
}

void Pace::set_cost(uint64_t nanoseconds) { cost_ = std::max<uint64_t>(nanoseconds, 1); }

bool Pace::is_too_much(uint32_t calls_of_function) {
  const uint64_t calls = ++calls_;
  if (calls <= most_ && calls_of_function <= most_of_one_)
    return false;
  if (!ending_ && cpu_time() - window_begin_ > window_nanoseconds && calls_of_function <= most_of_one_) {
    begin_window();
    return false;
  }
  if (timer_ < 0) // nobody would end the window
    return false;
  end_window_later();
  return true;
}

void Pace::begin_first_window() { begin_window_of(first_nanoseconds); }

void Pace::begin_window() { begin_window_of(window_nanoseconds / share); }

void Pace::begin_window_of(uint64_t nanoseconds) {
  most_ = nanoseconds / cost_;
  most_of_one_ = std::max(few, most_ / share);
  calls_ = 0;
  window_begin_ = cpu_time();
  ending_ = false;
}

void Pace::end_window_later() {
  if (ending_.exchange(true))
    return;
  itimerspec when{};
  when.it_value.tv_nsec = window_nanoseconds;
  syscall(SYS_timer_settime, timer_, 0, &when, nullptr);
}

} // namespace faultline::recorder
