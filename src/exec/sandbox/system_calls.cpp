#include "exec/sandbox/system_calls.h"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <initializer_list>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace faultline::exec {
namespace {

// Calls that are harmless whatever their arguments.
constexpr int harmless[] = {
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_close,
    SYS_close_range,
    SYS_fstat,
    SYS_newfstatat,
    SYS_stat,
    SYS_lstat,
    SYS_statx,
    SYS_lseek,
    SYS_mmap,
    SYS_munmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_brk,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_rt_sigpending,
    SYS_pause,
    SYS_exit,
    SYS_exit_group,
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_time,
    SYS_times,
    SYS_getrusage,
    SYS_setitimer,
    SYS_getitimer,
    SYS_alarm,
    SYS_futex,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_getcpu,
    SYS_poll,
    SYS_ppoll,
    SYS_select,
    SYS_pselect6,
    SYS_getrandom,
    SYS_uname,
    SYS_sysinfo,
    SYS_getcwd,
    SYS_readlink,
    SYS_readlinkat,
    SYS_access,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_getdents64,
    SYS_dup,
    SYS_dup2,
    SYS_dup3,
    SYS_getrlimit,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_arch_prctl,
    SYS_set_tid_address,
};

sock_filter load(uint32_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset); }
sock_filter give(uint32_t action) { return BPF_STMT(BPF_RET | BPF_K, action); }
sock_filter equal(uint32_t value, size_t yes, size_t no) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, uint8_t(yes), uint8_t(no));
}
sock_filter any_bit(uint32_t bits, size_t yes, size_t no) {
  return BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, uint8_t(yes), uint8_t(no));
}

constexpr uint32_t fail_with(int error) { return SECCOMP_RET_ERRNO | uint32_t(error); }
constexpr uint32_t allow = SECCOMP_RET_ALLOW;
constexpr uint32_t refuse = fail_with(EPERM);

// The lower half of an argument, which is all that the kernel takes of an int, and the upper one.
constexpr uint32_t argument(int index) { return uint32_t(offsetof(seccomp_data, args) + 8 * index); }
constexpr uint32_t upper_half(int index) { return argument(index) + 4; }

// A program for the kernel's filter. Each of its parts begins with the number of the call in the accumulator, and ends
// the program if the call is the part's own.
class Filter {
public:
  Filter() {
    code_ = {load(offsetof(seccomp_data, arch)), equal(AUDIT_ARCH_X86_64, 1, 0), give(SECCOMP_RET_KILL_PROCESS),
             load(offsetof(seccomp_data, nr))};
  }

  void answer(int call, uint32_t action) {
    code_.push_back(equal(uint32_t(call), 0, 1));
    code_.push_back(give(action));
  }

  // By one argument: is it one of these values?
  void by_value(int call, int index, std::initializer_list<uint32_t> values, uint32_t if_so, uint32_t otherwise) {
    code_.push_back(equal(uint32_t(call), 0, values.size() + 3));
    code_.push_back(load(argument(index)));
    size_t left = values.size();
    for (const uint32_t value : values)
      code_.push_back(equal(value, left--, 0));
    code_.push_back(give(otherwise));
    code_.push_back(give(if_so));
  }

  // By one argument: has it one of these bits?
  void by_bits(int call, int index, uint32_t bits, uint32_t if_so, uint32_t otherwise) {
    code_.push_back(equal(uint32_t(call), 0, 4));
    code_.push_back(load(argument(index)));
    code_.push_back(any_bit(bits, 1, 0));
    code_.push_back(give(otherwise));
    code_.push_back(give(if_so));
  }

  // Only with a null pointer there. An address has two halves, and one of them can be zero.
  void without_pointer(int call, int index) {
    code_.push_back(equal(uint32_t(call), 0, 6));
    code_.push_back(load(argument(index)));
    code_.push_back(equal(0, 0, 3));
    code_.push_back(load(upper_half(index)));
    code_.push_back(equal(0, 0, 1));
    code_.push_back(give(allow));
    code_.push_back(give(refuse));
  }

  std::vector<sock_filter> ended() && {
    code_.push_back(give(refuse));
    return std::move(code_);
  }

private:
  std::vector<sock_filter> code_;
};

std::vector<sock_filter> program(const AllowedCalls& allowed) {
  // Two that act on the memory of the machine, of processes with the right to administrate it.
  constexpr uint32_t poison_pages = 100, take_pages_away = 101;
  constexpr uint32_t ask_terminal_anew = 0x802c542a; // TCGETS2, which newer libraries ask for isatty
  constexpr uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_ASYNC;
  const uint32_t reading = allowed.opening ? allow : fail_with(EACCES);
  const auto self = uint32_t(getpid());
  Filter filter;
  for (const int call : harmless)
    filter.answer(call, allow);
  filter.by_bits(SYS_open, 1, writing, fail_with(EROFS), reading);
  filter.by_bits(SYS_openat, 2, writing, fail_with(EROFS), reading);
  filter.answer(SYS_creat, fail_with(EROFS));
  filter.by_value(SYS_tgkill, 0, {self}, allow, refuse);
  filter.by_value(SYS_kill, 0, {self}, allow, refuse);
  filter.without_pointer(SYS_prlimit64, 2); // only to ask
  // F_SETOWN, F_SETSIG and O_ASYNC make the kernel send any signal to any process of the user.
  filter.by_value(SYS_fcntl, 1, {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL}, allow, refuse);
  // Is it a terminal, and how wide? Others type into terminals and change the attributes of files.
  filter.by_value(SYS_ioctl, 1, {TCGETS, ask_terminal_anew, TIOCGWINSZ}, allow, refuse);
  filter.by_value(SYS_madvise, 2, {poison_pages, take_pages_away}, refuse, allow);
  if (allowed.becoming_another)
    filter.answer(SYS_execve, allow);
  return std::move(filter).ended();
}

} // namespace

int filter_system_calls(const AllowedCalls& allowed) {
  std::vector<sock_filter> code = program(allowed);
  sock_fprog filter = {static_cast<unsigned short>(code.size()), code.data()};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 ? 0 : errno;
}

} // namespace faultline::exec
