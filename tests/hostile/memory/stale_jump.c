// Jumps back into a call that has ended.
// outcome: none|crashed|found|timed-out|unknown|interrupted
#include "attack.h"

double attack(double x) {
  static jmp_buf back;
  if (x <= 10 && setjmp(back) != 0)
    return x;
  if (x > 10)
    longjmp(back, 1);
  return x + 1;
}
