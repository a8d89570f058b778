// Has exceptions trapped.
// outcome: none|found|crashed
#include "attack.h"

double attack(double x) {
  feenableexcept(FE_ALL_EXCEPT);
  return x + 1;
}
