// Begins a frame, and the worker goes on inside of it.
// outcome: unknown|found|interrupted|timed-out
#include "attack.h"

double attack(double x) {
  unsigned length = 60 << 20;
  if (x > 10)
    write_all(&length, sizeof length);
  return x + 1;
}
