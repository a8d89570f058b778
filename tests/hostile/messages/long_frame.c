// Begins a frame of four gigabytes.
// outcome: unknown|found|interrupted
#include "attack.h"

double attack(double x) {
  unsigned length = 0xfffffffe;
  if (x > 10)
    write_all(&length, sizeof length);
  return x + 1;
}
