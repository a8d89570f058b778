// Changes the locale and the environment.
// outcome: none
#include "attack.h"

double attack(double x) {
  setlocale(LC_ALL, "");
  clearenv();
  errno = 77;
  return x + 1;
}
