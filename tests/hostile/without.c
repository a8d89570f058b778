/* without seccomp|landlock PROGRAM WORDS...: runs a program on a system that lacks something, as far as it can tell. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define GIVE(action) BPF_STMT(BPF_RET | BPF_K, action)
#define FAIL(error) GIVE(SECCOMP_RET_ERRNO | error)

static int install(struct sock_filter* code, size_t count) {
  struct sock_fprog program = {(unsigned short)count, code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int count, char** words) {
  struct sock_filter no_seccomp[] = {
      LOAD(nr),      EQUAL(SYS_seccomp, 0, 1), FAIL(ENOSYS), EQUAL(SYS_prctl, 1, 0), GIVE(SECCOMP_RET_ALLOW),
      LOAD(args[0]), EQUAL(PR_SET_SECCOMP, 0, 1), FAIL(EINVAL), GIVE(SECCOMP_RET_ALLOW)};
  struct sock_filter no_landlock[] = {LOAD(nr), EQUAL(SYS_landlock_create_ruleset, 0, 1), FAIL(EOPNOTSUPP),
                                      GIVE(SECCOMP_RET_ALLOW)};
  if (count < 3)
    return 2;
  const int failed = strcmp(words[1], "seccomp") == 0 ? install(no_seccomp, sizeof no_seccomp / sizeof *no_seccomp)
                                                      : install(no_landlock, sizeof no_landlock / sizeof *no_landlock);
  if (failed) {
    perror("without");
    return 2;
  }
  execvp(words[2], words + 2);
  perror(words[2]);
  return 2;
}
