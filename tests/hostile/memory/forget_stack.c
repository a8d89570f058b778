// Has the kernel forget its stack.
// outcome: crashed|found|timed-out
#include "attack.h"

double attack(double x) {
  if (x > 10)
    madvise((void*)((unsigned long)__builtin_frame_address(0) & ~0xffful), 1 << 16, MADV_DONTNEED);
  return x + 1;
}
