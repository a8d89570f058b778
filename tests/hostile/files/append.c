// Appends to a file.
// outcome: none
#include "attack.h"

double attack(double x) {
  FILE* file = fopen(PLACE "/victim", "a");
  if (file || errno != EROFS)
    __builtin_trap();
  return x + 1;
}
