// Writes one byte between the frames.
// outcome: unknown|found|interrupted|timed-out
#include "attack.h"

double attack(double x) {
  if (x > 10)
    write_all("x", 1);
  return x + 1;
}
