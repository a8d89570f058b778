// Takes the stack of the signal handlers away, and overflows.
// outcome: crashed|found
#include "attack.h"

__attribute__((noinline)) static double deep(double x) { return x > 10 ? deep(x + 1) * 2 + 1 : x; }
double attack(double x) {
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, 0);
  x = deep(x);
  return x + 1;
}
