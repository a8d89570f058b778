#include "exec/system_calls.h"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <initializer_list>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace faultline::exec {
namespace {

// Calls that are harmless with any arguments.
// clang-format off
constexpr int harmless[] = {
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(readv), SCMP_SYS(writev), SCMP_SYS(pread64), SCMP_SYS(close),
    SCMP_SYS(close_range), SCMP_SYS(fstat), SCMP_SYS(newfstatat), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(statx),
    SCMP_SYS(lseek), SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mprotect), SCMP_SYS(mremap), SCMP_SYS(brk),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    SCMP_SYS(rt_sigpending), SCMP_SYS(pause), SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(getpid), SCMP_SYS(gettid),
    SCMP_SYS(getppid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid),
    SCMP_SYS(nanosleep), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times), SCMP_SYS(getrusage), SCMP_SYS(setitimer),
    SCMP_SYS(getitimer), SCMP_SYS(alarm), SCMP_SYS(futex), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity),
    SCMP_SYS(getcpu), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(select), SCMP_SYS(pselect6), SCMP_SYS(getrandom),
    SCMP_SYS(uname), SCMP_SYS(sysinfo), SCMP_SYS(getcwd), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(access),
    SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(getdents64), SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3),
    SCMP_SYS(getrlimit), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(arch_prctl), SCMP_SYS(set_tid_address),
};
// clang-format on

constexpr uint32_t fail_with(int error) { return SCMP_ACT_ERRNO(error); }
constexpr uint32_t allow = SCMP_ACT_ALLOW;

// All other calls fail with EPERM. Calls of another architecture's ABI end the process.
class Filter {
public:
  Filter() : context_(seccomp_init(fail_with(EPERM))) {
    note(context_ ? 0 : -ENOMEM);
    note(seccomp_attr_set(context_, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
  }
  ~Filter() { seccomp_release(context_); }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  void answer(int call, uint32_t action) { note(seccomp_rule_add_exact(context_, action, call, 0)); }

  void answer_if(int call, const scmp_arg_cmp& condition, uint32_t action) {
    note(seccomp_rule_add_exact_array(context_, action, call, 1, &condition));
  }

  // Allows values of an argument that the kernel takes as an int: only its lower half counts.
  void allow_values(int call, unsigned index, std::initializer_list<uint32_t> values) {
    for (const uint32_t value : values)
      answer_if(call, SCMP_CMP64(index, SCMP_CMP_MASKED_EQ, 0xffffffff, value), allow);
  }

  // Allows calls by the flags of open(2).
  void only_read(int call, unsigned index, uint32_t reading) {
    constexpr uint32_t writing[] = {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND, O_ASYNC};
    uint32_t all = 0;
    for (const uint32_t flag : writing) {
      answer_if(call, SCMP_CMP64(index, SCMP_CMP_MASKED_EQ, flag, flag), fail_with(EROFS));
      all |= flag;
    }
    answer_if(call, SCMP_CMP64(index, SCMP_CMP_MASKED_EQ, all, 0), reading);
  }

  // Returns 0, or the errno of the first failure.
  int install() {
    note(error_ == 0 ? seccomp_load(context_) : 0);
    return error_;
  }

private:
  void note(int result) {
    if (error_ == 0 && result < 0)
      error_ = -result;
  }

  scmp_filter_ctx context_;
  int error_ = 0;
};

} // namespace

int filter_system_calls(const AllowedCalls& allowed) {
  constexpr uint32_t ask_terminal_anew = 0x802c542a; // TCGETS2, which newer libraries use for isatty
  // Higher advice values act on the memory of the machine and need the right to administrate it.
  constexpr uint32_t poison_pages = 100;
  constexpr uint32_t sign_of_int = 1u << 31;
  const uint32_t reading = allowed.opening ? allow : fail_with(EACCES);
  const auto self = uint32_t(getpid());
  Filter filter;
  for (const int call : harmless)
    filter.answer(call, allow);
  filter.only_read(SCMP_SYS(open), 1, reading);
  filter.only_read(SCMP_SYS(openat), 2, reading);
  filter.answer(SCMP_SYS(creat), fail_with(EROFS));
  filter.allow_values(SCMP_SYS(tgkill), 0, {self});
  filter.allow_values(SCMP_SYS(kill), 0, {self});
  filter.answer_if(SCMP_SYS(prlimit64), {2, SCMP_CMP_EQ, 0, 0}, allow); // queries only
  // F_SETOWN, F_SETSIG and O_ASYNC are excluded: they make the kernel send any signal to any process of the user.
  filter.allow_values(SCMP_SYS(fcntl), 1, {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL});
  // Queries of terminal and width. Other requests type into terminals or change the attributes of files.
  filter.allow_values(SCMP_SYS(ioctl), 1, {TCGETS, ask_terminal_anew, TIOCGWINSZ});
  // The clocks of other processes are negative numbers, which contain the process.
  for (const int call : {SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep)})
    filter.answer_if(call, SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, sign_of_int, 0), allow);
  filter.answer_if(SCMP_SYS(madvise), {2, SCMP_CMP_LT, poison_pages, 0}, allow);
  if (allowed.becoming_another)
    filter.answer(SCMP_SYS(execve), allow);
  return filter.install();
}

} // namespace faultline::exec
