#include "exec/guard.h"

#include "exec/replacements.h"
#include "runtime/tape_memory.h"

#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cxxabi.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>
#include <xmmintrin.h>

namespace faultline::exec {
namespace {

constexpr int tick_milliseconds = 20;
constexpr unsigned flag_bits = 0x3f;

sigjmp_buf landing;
volatile sig_atomic_t in_call = 0;
volatile sig_atomic_t own_code = 0;
volatile sig_atomic_t late = 0;
volatile uint64_t serial = 0; // of the current call
uint64_t ticked_serial = 0;
int ticks = 0;
volatile int tick_limit = 1000 / tick_milliseconds;
uintptr_t stack_low = 0, stack_high = 0; // addresses where a stack overflow faults
uintptr_t argument_guard_low = 0, argument_guard_high = 0;
uintptr_t stack_end = 0; // the lowest usable address
void* volatile missing_address = nullptr;
void* volatile overrun_address = nullptr;

[[noreturn]] void jump(Outcome outcome) { siglongjmp(landing, 1 + int(outcome)); }

void die_of(int signal) {
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void on_fault(int signal, siginfo_t* information, void*) {
  if (!in_call || own_code)
    return die_of(signal);
  const auto where = reinterpret_cast<uintptr_t>(information->si_addr);
  switch (signal) {
  case SIGSEGV:
  case SIGBUS:
    if (runtime::in_tape_guard(information->si_addr))
      jump(Outcome::tape_full);
    if (where >= argument_guard_low && where < argument_guard_high) {
      overrun_address = information->si_addr;
      jump(Outcome::overrun);
    }
    if (missing_at(information->si_addr)) {
      missing_address = information->si_addr;
      jump(Outcome::missing);
    }
    jump(where >= stack_low && where < stack_high ? Outcome::stack_overflow : Outcome::segfault);
  case SIGFPE:
    jump(Outcome::arithmetic_trap);
  case SIGILL:
  case SIGTRAP:
    jump(Outcome::illegal_instruction);
  default:
    jump(Outcome::aborted);
  }
}

void on_tick(int, siginfo_t*, void*) {
  if (!in_call)
    return;
  if (ticked_serial != serial) {
    ticked_serial = serial;
    ticks = 0;
  }
  if (++ticks < tick_limit)
    return;
  if (own_code)
    late = 1;
  else
    jump(Outcome::timed_out);
}

void handle(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

// Finds the guard below the stack, where runaway recursion faults.
void find_stack() {
  rlimit limit = {};
  getrlimit(RLIMIT_STACK, &limit);
  pthread_attr_t attributes;
  void* low = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
  }
  constexpr uintptr_t slack = 1 << 20;
  stack_end = reinterpret_cast<uintptr_t>(low);
  stack_low = reinterpret_cast<uintptr_t>(low) - slack;
  stack_high = reinterpret_cast<uintptr_t>(low) + slack;
}

uint16_t x87_control() {
  uint16_t word;
  asm volatile("fnstcw %0" : "=m"(word));
  return word;
}

uint16_t x87_status() {
  uint16_t word;
  asm volatile("fnstsw %0" : "=m"(word));
  return word;
}

// The instructions that change the state of the x87 are slow and seldom needed.
void restore_x87(uint16_t control) {
  if (x87_status() & flag_bits)
    asm volatile("fnclex");
  if (x87_control() != control)
    asm volatile("fldcw %0" : : "m"(control));
}

} // namespace

void install_guard() {
  constexpr size_t alternate_bytes = 1 << 16;
  stack_t alternate = {};
  alternate.ss_sp = mmap(nullptr, alternate_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  alternate.ss_size = alternate_bytes;
  sigaltstack(&alternate, nullptr);
  find_stack();
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
    handle(signal, on_fault);
  handle(SIGPROF, on_tick);
  itimerval interval = {};
  interval.it_interval.tv_usec = interval.it_value.tv_usec = tick_milliseconds * 1000;
  setitimer(ITIMER_PROF, &interval, nullptr);
}

void set_argument_guard(const void* low, const void* high) {
  argument_guard_low = reinterpret_cast<uintptr_t>(low);
  argument_guard_high = reinterpret_cast<uintptr_t>(high);
}

bool is_argument(const void* address) {
  const auto where = reinterpret_cast<uintptr_t>(address);
  return where >= argument_guard_low && where < argument_guard_high;
}

void set_call_limit(double seconds) {
  int limit = int(seconds * 1000 / tick_milliseconds);
  tick_limit = limit < 2 ? 2 : limit;
}

GuardedResult guarded_call(void (*function)(void*), void* argument) {
  const unsigned control = _mm_getcsr();
  const uint16_t x87 = x87_control();
  GuardedResult result;
  restore_x87(x87); // clears its flags
  late = 0;
  serial = serial + 1;
  int landed = sigsetjmp(landing, 0);
  if (landed == 0) {
    in_call = 1;
    errno = 0;
    _mm_setcsr(control & ~flag_bits);
    try {
      function(argument);
    } catch (abi::__forced_unwind&) {
      throw;
    } catch (...) {
      note_current_exception();
      result.outcome = Outcome::threw;
    }
  } else {
    result.outcome = Outcome(landed - 1);
  }
  in_call = 0;
  own_code = 0;
  result.error_number = errno;
  if (result.outcome == Outcome::threw || result.outcome == Outcome::exited)
    result.ending = noted_ending();
  else if (result.outcome == Outcome::missing)
    result.ending = ending_at_missing(missing_address);
  else if (result.outcome == Outcome::overrun)
    result.overrun_at = overrun_address;
  result.flags = (_mm_getcsr() | x87_status()) & flag_bits; // the same bits in both registers
  _mm_setcsr(control & ~flag_bits);
  restore_x87(x87);
  return result;
}

void leave_call(Outcome outcome) {
  if (!in_call)
    _exit(70);
  jump(outcome);
}

void enter_own_code() {
  // Our own code needs some stack: an overflow inside it must be detected here.
  constexpr uintptr_t needed = 1 << 18;
  if (in_call && reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < stack_end + needed)
    jump(Outcome::stack_overflow);
  own_code = 1;
}

void leave_own_code() {
  own_code = 0;
  if (late)
    jump(Outcome::timed_out);
}

} // namespace faultline::exec
