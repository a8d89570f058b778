#include "exec/sandbox.h"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace faultline::exec {
namespace {

// Calls that are harmless whatever their arguments.
constexpr int allowed[] = {
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_close,
    SYS_fstat,
    SYS_newfstatat,
    SYS_stat,
    SYS_lstat,
    SYS_statx,
    SYS_lseek,
    SYS_mmap,
    SYS_munmap,
    SYS_mprotect,
    SYS_madvise,
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
    SYS_ioctl,
    SYS_fcntl,
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
sock_filter equal(uint32_t value, uint8_t yes, uint8_t no) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no);
}
sock_filter any_bit(uint32_t bits, uint8_t yes, uint8_t no) {
  return BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, yes, no);
}

constexpr uint32_t argument(int index) { return uint32_t(offsetof(seccomp_data, args) + 8 * index); }

std::vector<sock_filter> program(bool may_become_another) {
  constexpr uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;
  constexpr uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  std::vector<sock_filter> code = {
      load(offsetof(seccomp_data, arch)),
      equal(AUDIT_ARCH_X86_64, 1, 0),
      give(SECCOMP_RET_KILL_PROCESS),
      load(offsetof(seccomp_data, nr)),
  };
  auto with_argument = [&](int call, int index, auto test) {
    // not this call: skip the load, the test and the two answers
    code.push_back(equal(uint32_t(call), 0, 4));
    code.push_back(load(argument(index)));
    code.push_back(test);
    code.push_back(give(SECCOMP_RET_ALLOW));
    code.push_back(give(refuse));
  };
  with_argument(SYS_open, 1, any_bit(writing, 1, 0));
  with_argument(SYS_openat, 2, any_bit(writing, 1, 0));
  with_argument(SYS_tgkill, 0, equal(uint32_t(getpid()), 0, 1));
  with_argument(SYS_kill, 0, equal(uint32_t(getpid()), 0, 1));
  with_argument(SYS_prlimit64, 2, equal(0, 0, 1)); // only to ask
  for (int call : allowed) {
    code.push_back(equal(uint32_t(call), 0, 1));
    code.push_back(give(SECCOMP_RET_ALLOW));
  }
  if (may_become_another) {
    code.push_back(equal(SYS_execve, 0, 1));
    code.push_back(give(SECCOMP_RET_ALLOW));
  }
  code.push_back(give(refuse));
  return code;
}

uint64_t address_space_in_use() {
  uint64_t pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu", &pages) != 1)
      pages = 0;
    std::fclose(file);
  }
  return pages * uint64_t(sysconf(_SC_PAGESIZE));
}

void limit(int resource, uint64_t value) {
  rlimit current = {};
  getrlimit(__rlimit_resource_t(resource), &current);
  rlimit wanted = {value, value};
  if (current.rlim_max < value)
    wanted.rlim_cur = wanted.rlim_max = current.rlim_max;
  setrlimit(__rlimit_resource_t(resource), &wanted);
}

} // namespace

void limit_process(uint64_t memory) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0); // pipes are not files
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  limit(RLIMIT_STACK, 8u << 20);
  limit(RLIMIT_AS, address_space_in_use() + memory);
}

bool filter_system_calls(bool may_become_another) {
  std::vector<sock_filter> code = program(may_become_another);
  sock_fprog filter = {static_cast<unsigned short>(code.size()), code.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

} // namespace faultline::exec
