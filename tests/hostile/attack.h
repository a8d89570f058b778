/* What attacks are written with. PLACE is a folder with files that must stay as they are, VICTIM a process that must live on.
   A call that ought to be refused and is not ends in a trap, which shows as a crash in the report. */
#ifndef ATTACK_H
#define ATTACK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#ifndef FS_IMMUTABLE_FL
#define FS_IMMUTABLE_FL 0x10
#define FS_IOC_SETFLAGS 0x40086602
#endif

#define REFUSED(call)                                                                                                  \
  do {                                                                                                                 \
    if ((long)(call) >= 0)                                                                                             \
      __builtin_trap();                                                                                                \
  } while (0)

/* To the supervisor, as a worker would. */
static inline void write_all(const void* bytes, size_t count) {
  const char* at = (const char*)bytes;
  while (count > 0) {
    const ssize_t written = write(3, at, count);
    if (written <= 0)
      return;
    at += written;
    count -= (size_t)written;
  }
}

static inline void say(const char* message) {
  const unsigned length = (unsigned)strlen(message);
  write_all(&length, sizeof length);
  write_all(message, length);
}

#endif
