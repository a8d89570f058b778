// Says again that its code begins to run.
// outcome: unknown|found|interrupted
#include "attack.h"

double attack(double x) {
  unsigned mark = 0xffffffff;
  if (x > 10)
    write_all(&mark, sizeof mark);
  return x + 1;
}
