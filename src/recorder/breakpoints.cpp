#include "recorder/breakpoints.h"

#include "recorder/first_instruction.h"
#include "recorder/noting.h"
#include "recorder/pace.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <initializer_list>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <unistd.h>

extern "C" int __sigaction(int, const struct sigaction*, struct sigaction*); // the C library's, whoever has sigaction

namespace faultline::recorder {
namespace {

constexpr uint8_t int3 = 0xcc;
constexpr greg_t trap_flag = 0x100;

struct Table {
  Breakpoint* first = nullptr;
  uint32_t count = 0;
};

// One a file of code: programs that load more of them are recorded in the first ones.
constexpr uint32_t most_tables = 256;
constinit Table tables[most_tables];
std::atomic<uint32_t> table_count = 0;
constinit Pace pace;

struct sigaction others {}; // the program's own way with traps: by itself, they end it

// The step that this thread is taking, and the signals that were blocked before it.
thread_local Breakpoint* stepping = nullptr;
thread_local sigset_t blocked_before;

Breakpoint* breakpoint_at(const uint8_t* address) {
  for (uint32_t i = 0; i < table_count; ++i) {
    Breakpoint* end = tables[i].first + tables[i].count;
    Breakpoint* found = std::lower_bound(tables[i].first, end, address,
                                         [](const Breakpoint& b, const uint8_t* at) { return b.address < at; });
    if (found != end && found->address == address)
      return found;
  }
  return nullptr;
}

void write_byte(Breakpoint& breakpoint, uint8_t byte) { __atomic_store_n(breakpoint.address, byte, __ATOMIC_SEQ_CST); }

template <class Each>
void each_breakpoint(const Each& each) {
  for (uint32_t i = 0; i < table_count; ++i)
    std::for_each(tables[i].first, tables[i].first + tables[i].count, each);
}

void note_call(Breakpoint& breakpoint, const ucontext_t& context) {
  if (breakpoint.busy.exchange(true)) {
    breakpoint.seen->sampled = 1;
    return;
  }
  long double values[most_arguments];
  if (read_arguments(context, breakpoint.arguments, breakpoint.argument_count, values)) {
    // xorshift64 (Marsaglia 2003): a sequence of its own for each function.
    breakpoint.random ^= breakpoint.random << 13;
    breakpoint.random ^= breakpoint.random >> 7;
    breakpoint.random ^= breakpoint.random << 17;
    note(*breakpoint.seen, values, breakpoint.argument_count, breakpoint.random);
  }
  breakpoint.busy = false;
}

// Signals that wait until the step is done: those that the instruction itself may raise cannot.
void begin_step(Breakpoint& breakpoint, ucontext_t& context) {
  write_byte(breakpoint, breakpoint.first_byte);
  blocked_before = context.uc_sigmask;
  sigfillset(&context.uc_sigmask);
  for (const int synchronous : {SIGTRAP, SIGSEGV, SIGBUS, SIGILL, SIGFPE})
    sigdelset(&context.uc_sigmask, synchronous);
  context.uc_mcontext.gregs[REG_EFL] |= trap_flag;
  if (!__libc_single_threaded) // others may come by while the breakpoint is gone
    breakpoint.seen->sampled = 1;
  stepping = &breakpoint;
}

void end_step(ucontext_t& context) {
  context.uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
  context.uc_sigmask = blocked_before;
  if (stepping->armed)
    write_byte(*stepping, int3);
  stepping = nullptr;
}

void begin_window() {
  pace.begin_window();
  each_breakpoint([](Breakpoint& breakpoint) {
    breakpoint.calls = 0;
    if (!breakpoint.armed.exchange(true))
      write_byte(breakpoint, int3);
  });
}

void at_breakpoint(Breakpoint& breakpoint, ucontext_t& context) {
  context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(breakpoint.address);
  note_call(breakpoint, context);
  if (!breakpoint.armed) // it is gone by now
    return;
  const bool too_much = pace.is_too_much(++breakpoint.calls);
  if (too_much && breakpoint.seen->noted > most_tuples) { // the first calls of each are noted, whatever others cost
    breakpoint.armed = false;
    breakpoint.seen->sampled = 1;
    write_byte(breakpoint, breakpoint.first_byte);
  } else if (!carry_out(breakpoint.first_byte, breakpoint.address + 1, context)) {
    begin_step(breakpoint, context);
  }
}

void remove_breakpoints() {
  pace.stop_timer();
  each_breakpoint([](Breakpoint& breakpoint) {
    breakpoint.armed = false;
    write_byte(breakpoint, breakpoint.first_byte);
  });
}

void hand_on(int signal, siginfo_t* info, void* context) {
  if (others.sa_flags & SA_SIGINFO)
    return others.sa_sigaction(signal, info, context);
  if (others.sa_handler == SIG_DFL) {
    remove_breakpoints();
    __sigaction(SIGTRAP, &others, nullptr);
    raise(SIGTRAP);
  } else if (others.sa_handler != SIG_IGN) {
    others.sa_handler(signal);
  }
}

void on_trap(int signal, siginfo_t* info, void* given) {
  const int saved_errno = errno;
  auto& context = *static_cast<ucontext_t*>(given);
  const auto* after = reinterpret_cast<const uint8_t*>(context.uc_mcontext.gregs[REG_RIP]);
  if (info->si_code == SI_TIMER)
    begin_window();
  else if (stepping)
    end_step(context);
  else if (Breakpoint* breakpoint = breakpoint_at(after - 1))
    at_breakpoint(*breakpoint, context);
  else
    hand_on(signal, info, given);
  errno = saved_errno;
}

[[gnu::noinline]] double measured(double x) {
  asm volatile("" : "+x"(x));
  return x;
}

// By calls of a function of our own.
uint64_t cost_of_a_call() {
  constexpr uint64_t calls = 64;
  static const ArgumentPlace argument;
  alignas(16) static char block[sizeof(FunctionSeen) + sizeof(ArgumentSeen) + most_tuples * sizeof(long double)];
  static Breakpoint own;
  own.address = reinterpret_cast<uint8_t*>(&measured);
  own.arguments = &argument;
  own.argument_count = 1;
  own.seen = reinterpret_cast<FunctionSeen*>(block);
  pace.set_cost(1);
  if (!set_breakpoints(&own, 1))
    return 0;
  timespec begin{}, end{};
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (uint64_t i = 0; i < calls; ++i)
    measured(1);
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (uint64_t(end.tv_sec - begin.tv_sec) * 1'000'000'000 + uint64_t(end.tv_nsec) - uint64_t(begin.tv_nsec)) /
         calls;
}

} // namespace

bool start_breakpoints() {
  struct sigaction action {};
  action.sa_sigaction = on_trap;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigfillset(&action.sa_mask);
  if (__sigaction(SIGTRAP, &action, nullptr) != 0)
    return false;
  pace.start_timer();
  const uint64_t cost = cost_of_a_call();
  pace.set_cost(cost);
  pace.begin_first_window();
  return cost > 0;
}

bool set_breakpoints(Breakpoint* first, uint32_t count) {
  if (table_count == most_tables)
    return false;
  const auto page = uintptr_t(sysconf(_SC_PAGESIZE));
  uintptr_t writable = 0;
  for (Breakpoint* breakpoint = first; breakpoint != first + count; ++breakpoint) {
    const uintptr_t begin = reinterpret_cast<uintptr_t>(breakpoint->address) & ~(page - 1);
    if (begin != writable && mprotect(reinterpret_cast<void*>(begin), page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
      return false;
    writable = begin;
    breakpoint->first_byte = *breakpoint->address;
    breakpoint->random = 0x9e3779b97f4a7c15u + uint64_t(breakpoint - first); // not 0, and the same in each run
  }
  tables[table_count] = {first, count};
  ++table_count;
  for (Breakpoint* breakpoint = first; breakpoint != first + count; ++breakpoint) {
    breakpoint->armed = true;
    write_byte(*breakpoint, int3);
  }
  return true;
}

void continue_in_child() {
  each_breakpoint([](Breakpoint& breakpoint) { breakpoint.busy = false; });
  pace.start_timer();
  begin_window();
  pace.begin_first_window();
}

void take_other_traps(const struct sigaction* action, struct sigaction* old) {
  const struct sigaction before = others;
  if (action)
    others = *action;
  if (old)
    *old = before;
}

} // namespace faultline::recorder
