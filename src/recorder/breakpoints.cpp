#include "recorder/breakpoints.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <iterator>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

// The C library's, even if the program replaces sigaction.
extern "C" int __sigaction(int, const struct sigaction*, struct sigaction*);

namespace faultline::recorder {

namespace {

// The kernel reads it: an unmapped address is an error instead of a crash.
bool read_memory(uint64_t address, void* to, size_t bytes) {
  iovec local{to, bytes};
  iovec remote{reinterpret_cast<void*>(address), bytes};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == ssize_t(bytes);
}

template <class T> long double as(const void* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<long double>(value);
}

// The types of arguments, in the order of ValueType.
struct TypeOfArgument {
  size_t bytes;
  long double (*read)(const void* bytes);
};
constexpr TypeOfArgument types[] = {{4, as<float>},    {8, as<double>},   {10, as<long double>}, {1, as<int8_t>},
                                    {2, as<int16_t>},  {4, as<int32_t>},  {8, as<int64_t>},      {1, as<uint8_t>},
                                    {2, as<uint16_t>}, {4, as<uint32_t>}, {8, as<uint64_t>}};
static_assert(std::size(types) == size_t(ValueType::uint64) + 1);

constexpr int general_registers[] = {REG_RDI, REG_RSI, REG_RDX, REG_RCX, REG_R8, REG_R9};
constexpr size_t vector_registers = 8;

// Reads the word or the vector at its place in the calling convention.
bool read_place(const ucontext_t& context, const ArgumentPlace& place, void* to, size_t bytes) {
  switch (place.where) {
  case Where::vector_register:
    if (place.index >= vector_registers)
      return false;
    std::memcpy(to, &context.uc_mcontext.fpregs->_xmm[place.index], bytes);
    return true;
  case Where::general_register:
    if (place.index >= std::size(general_registers))
      return false;
    std::memcpy(to, &context.uc_mcontext.gregs[general_registers[place.index]], bytes);
    return true;
  case Where::stack: // above the return address
    return read_memory(uint64_t(context.uc_mcontext.gregs[REG_RSP]) + 8 + 8 * uint64_t(place.index), to, bytes);
  }
  return false;
}

void note(ArgumentSeen& seen, long double value) {
  ++seen.count;
  if (std::isnan(value)) {
    ++seen.nan;
    return;
  }
  if (std::signbit(value) && value != 0)
    ++seen.negative;
  if (std::isinf(value)) {
    ++seen.infinite;
    return;
  }
  const bool first = seen.count - seen.nan - seen.infinite == 1;
  if (first || value < seen.low)
    seen.low = value;
  if (first || value > seen.high)
    seen.high = value;
  if (value == 0) {
    ++seen.zero;
    return;
  }
  const long double magnitude = std::fabs(value);
  if (seen.least == 0 || magnitude < seen.least)
    seen.least = magnitude;
  if (magnitude > seen.most)
    seen.most = magnitude;
  const int binade = std::ilogb(magnitude);
  const int clamped = binade < least_binade ? least_binade : binade > most_binade ? most_binade : binade;
  ++seen.sketch[value < 0][clamped - least_binade];
}

// Called at the first instruction of a function. False if an argument cannot be read because its pointer is invalid.
bool read_arguments(const ucontext_t& context, const ArgumentPlace* places, uint32_t count, long double* values) {
  for (uint32_t i = 0; i < count; ++i) {
    const ArgumentPlace& place = places[i];
    const auto& [bytes, read_value] = types[size_t(place.type)];
    alignas(16) char raw[16] = {};
    uint64_t pointer = 0;
    const bool read = place.behind ? read_place(context, place, &pointer, sizeof pointer) &&
                                         read_memory(pointer + place.displacement, raw, bytes)
                                   : read_place(context, place, raw, bytes);
    if (!read)
      return false;
    values[i] = read_value(raw);
  }
  return true;
}

// Notes the arguments of a call. Runs in a signal handler: it allocates nothing. `random` is a number of this
// function's sequence, which decides whether a tuple is kept (reservoir sampling).
void note(FunctionSeen& seen, const long double* values, uint32_t count, uint64_t random) {
  const uint64_t before = seen.noted++;
  ArgumentSeen* arguments = arguments_of(&seen);
  for (uint32_t i = 0; i < count; ++i)
    note(arguments[i], values[i]);
  const uint64_t slot = before < most_tuples ? before : random % (before + 1);
  if (slot < most_tuples)
    std::memcpy(tuples_of(&seen, count) + slot * count, values, count * sizeof(long double));
}

// Long enough for hundreds of calls, and short compared with the phases of a program: a guess.
constexpr uint64_t window_nanoseconds = 10'000'000;
constexpr uint64_t share = 4; // the part for recording, in addition to one call of each function
// The budget of recording at the start: a twentieth of a second is not noticeable.
constexpr uint64_t first_nanoseconds = 50'000'000;
// The minimum for one function in a window: with less, the first calls of a short program would be lost.
constexpr uint64_t few = 16;

uint64_t cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return uint64_t(now.tv_sec) * 1'000'000'000 + uint64_t(now.tv_nsec);
}

// Limits the time that recording takes. Noting a call costs two signals. Functions that are called too often are not
// observed until the end of a window of CPU time, so the program takes less than twice its time.
//
// The first calls of each function are always noted, and one call in each window, however little time is left: frequent
// calls do not hide rare ones. A timer of CPU time ends the window. It runs only while some function is not observed,
// so that a waiting program is never woken. The first window is larger: most programs are short, and the cost is small.
class Pace {
public:
  // The timer belongs to this process, which may be a fork.
  // Uses system calls: the C library's functions would allocate, and its timers do not survive a fork either.
  void start_timer() {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGTRAP;
    int timer = -1;
    timer_ = syscall(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, &event, &timer) == 0 ? timer : -1;
    begin_window();
  }

  // After the handler is gone, its signal would end the program.
  void stop_timer() {
    if (timer_ >= 0)
      syscall(SYS_timer_delete, timer_);
    timer_ = -1;
  }

  // Sets the time that noting one call takes.
  void set_cost(uint64_t nanoseconds) { cost_ = std::max<uint64_t>(nanoseconds, 1); }

  // Counts a call; `calls_of_function` is the number for its function in this window. True if the function should not
  // be observed any more.
  bool is_too_much(uint32_t calls_of_function) {
    const uint64_t calls = ++calls_;
    if (calls <= most_ && calls_of_function <= most_of_one_)
      return false;
    if (!ending_ && cpu_time() - window_begin_ > window_nanoseconds && calls_of_function <= most_of_one_) {
      begin_window();
      return false;
    }
    if (timer_ < 0) // without a timer, no window would end
      return false;
    end_window_later();
    return true;
  }

  // Called by the timer.
  void begin_window() { begin_window_of(window_nanoseconds / share); }
  void begin_first_window() { begin_window_of(first_nanoseconds); }

private:
  void begin_window_of(uint64_t nanoseconds) {
    most_ = nanoseconds / cost_;
    most_of_one_ = std::max(few, most_ / share);
    calls_ = 0;
    window_begin_ = cpu_time();
    ending_ = false;
  }

  void end_window_later() {
    if (ending_.exchange(true))
      return;
    itimerspec when{};
    when.it_value.tv_nsec = window_nanoseconds;
    syscall(SYS_timer_settime, timer_, 0, &when, nullptr);
  }

  int timer_ = -1;
  uint64_t cost_ = 1;
  std::atomic<uint64_t> most_ = 0, most_of_one_ = 0; // calls in this window
  std::atomic<uint64_t> calls_ = 0;
  std::atomic<uint64_t> window_begin_ = 0; // CPU time, nanoseconds
  std::atomic<bool> ending_ = false;
};

// Emulates the common first instructions of functions on the saved registers. This saves a single step, which is half
// of the cost of a breakpoint.

// In the order of their numbers in instructions.
constexpr int registers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                             REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

bool is_push(uint8_t byte) { return byte >= 0x50 && byte <= 0x57; }

void push(int number, ucontext_t& context) {
  greg_t* all = context.uc_mcontext.gregs;
  const greg_t value = all[registers[number]];
  all[REG_RSP] -= 8;
  std::memcpy(reinterpret_cast<void*>(all[REG_RSP]), &value, sizeof value);
}

// `first` is the byte that the breakpoint hides, `rest` what follows it. Returns false and does nothing unless the
// instruction is push, endbr64 or the subtraction that makes room on the stack (whose flags are not used).
bool carry_out(uint8_t first, const uint8_t* rest, ucontext_t& context) {
  greg_t* all = context.uc_mcontext.gregs;
  if (is_push(first)) {
    push(first - 0x50, context);
    all[REG_RIP] += 1;
    return true;
  }
  if (first == 0x41 && is_push(rest[0])) {
    push(8 + rest[0] - 0x50, context);
    all[REG_RIP] += 2;
    return true;
  }
  if (first == 0xf3 && rest[0] == 0x0f && rest[1] == 0x1e && rest[2] == 0xfa) { // endbr64
    all[REG_RIP] += 4;
    return true;
  }
  if (first == 0x48 && rest[0] == 0x83 && rest[1] == 0xec) { // sub rsp, a byte
    all[REG_RSP] -= int8_t(rest[2]);
    all[REG_RIP] += 4;
    return true;
  }
  if (first == 0x48 && rest[0] == 0x81 && rest[1] == 0xec) { // sub rsp, four bytes
    int32_t bytes = 0;
    std::memcpy(&bytes, rest + 2, sizeof bytes);
    all[REG_RSP] -= bytes;
    all[REG_RIP] += 7;
    return true;
  }
  return false;
}

constexpr uint8_t int3 = 0xcc;
constexpr greg_t trap_flag = 0x100;

struct Table {
  Breakpoint* first = nullptr;
  uint32_t count = 0;
};

// One per file of code: programs that load more are recorded in the first ones.
constexpr uint32_t most_tables = 256;
constinit Table tables[most_tables];
std::atomic<uint32_t> table_count = 0;
constinit Pace pace;

struct sigaction others {}; // the program's own action; the default ends the program

// The step of this thread, and the previously blocked signals.
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

template <class Each> void each_breakpoint(const Each& each) {
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
    // xorshift64 (Marsaglia 2003), with a separate sequence for each function.
    breakpoint.random ^= breakpoint.random << 13;
    breakpoint.random ^= breakpoint.random >> 7;
    breakpoint.random ^= breakpoint.random << 17;
    note(*breakpoint.seen, values, breakpoint.argument_count, breakpoint.random);
  }
  breakpoint.busy = false;
}

// Blocks signals until the step is done, except those that the instruction itself may raise.
void begin_step(Breakpoint& breakpoint, ucontext_t& context) {
  write_byte(breakpoint, breakpoint.first_byte);
  blocked_before = context.uc_sigmask;
  sigfillset(&context.uc_sigmask);
  for (const int synchronous : {SIGTRAP, SIGSEGV, SIGBUS, SIGILL, SIGFPE})
    sigdelset(&context.uc_sigmask, synchronous);
  context.uc_mcontext.gregs[REG_EFL] |= trap_flag;
  if (!__libc_single_threaded) // other threads may call the function while the breakpoint is removed
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
  if (!breakpoint.armed) // it was removed meanwhile
    return;
  const bool too_much = pace.is_too_much(++breakpoint.calls);
  if (too_much && breakpoint.seen->noted > most_tuples) { // the first calls of each function are always noted
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

// Measures calls of a function of our own.
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
    breakpoint->random = 0x9e3779b97f4a7c15u + uint64_t(breakpoint - first); // nonzero, and the same in each run
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
