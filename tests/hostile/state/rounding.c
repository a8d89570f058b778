// Changes the rounding mode for those that come after it.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  fesetround(FE_TOWARDZERO);
  return x + 1;
}
