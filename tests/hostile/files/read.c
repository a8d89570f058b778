// Reads a file that it was not allowed to.
// outcome: none
#include "attack.h"

double attack(double x) {
  FILE* file = fopen(PLACE "/secret", "r");
  if (file || errno != EACCES)
    __builtin_trap();
  return x + 1;
}
