// Maps memory for ever.
// outcome: none|found|unknown|crashed|interrupted|timed-out
#include "attack.h"

double attack(double x) {
  while (x > 10 && mmap(0, 1ul << 28, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
    ;
  return x + 1;
}
