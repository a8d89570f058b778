// Throws where nothing may be thrown.
// outcome: crashed
// finding: crash
#include "attack.h"

double attack(double x) noexcept {
  if (x > 10)
    throw 1;
  return x + 1;
}
