#include "run/quiet.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/sched.h>
#include <seccomp.h>

namespace faultline::run {

namespace {

constexpr int refused_calls[] = {
    SCMP_SYS(creat),     SCMP_SYS(mkdir),     SCMP_SYS(mkdirat),   SCMP_SYS(rmdir),        SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),  SCMP_SYS(rename),    SCMP_SYS(renameat),  SCMP_SYS(renameat2),    SCMP_SYS(link),
    SCMP_SYS(linkat),    SCMP_SYS(symlink),   SCMP_SYS(symlinkat), SCMP_SYS(truncate),     SCMP_SYS(chmod),
    SCMP_SYS(fchmod),    SCMP_SYS(fchmodat),  SCMP_SYS(chown),     SCMP_SYS(lchown),       SCMP_SYS(fchownat),
    SCMP_SYS(mknod),     SCMP_SYS(mknodat),   SCMP_SYS(utime),     SCMP_SYS(utimes),       SCMP_SYS(utimensat),
    SCMP_SYS(futimesat), SCMP_SYS(connect),   SCMP_SYS(bind),      SCMP_SYS(mount),        SCMP_SYS(setxattr),
    SCMP_SYS(sendto),    SCMP_SYS(sendmsg),   SCMP_SYS(openat2),   SCMP_SYS(kill),         SCMP_SYS(removexattr),
    SCMP_SYS(shmget),    SCMP_SYS(mq_open),   SCMP_SYS(ptrace),    SCMP_SYS(io_uring_setup)};

} // namespace

std::string keep_quiet() {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter)
    return "seccomp is not available";
  int problem = 0;
  const auto note = [&](int result) {
    if (result != 0 && result != -EDOM) // EDOM: a call that this machine does not have
      problem = result;
  };
  for (const int call : refused_calls)
    note(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), call, 0));
  for (const int flag : {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC}) {
    const auto bit = scmp_datum_t(flag);
    note(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(open), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, bit, bit)));
    note(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(openat), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, bit, bit)));
  }
  if (problem == 0)
    problem = seccomp_load(filter);
  seccomp_release(filter);
  return problem == 0 ? "" : fmt::format("seccomp: {}", std::strerror(-problem));
}

} // namespace faultline::run
