// Has a shell make a file.
// outcome: none
#include "attack.h"

double attack(double x) {
  if (system("touch " PLACE "/made") == 0)
    __builtin_trap();
  return x + 1;
}
