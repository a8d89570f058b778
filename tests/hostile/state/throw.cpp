// Throws.
// outcome: found
// finding: exception
#include "attack.h"

#include <stdexcept>

double attack(double x) {
  if (x > 10)
    throw std::runtime_error("\033[2J made");
  return x + 1;
}
