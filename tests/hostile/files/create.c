// Creates a file.
// outcome: none
#include "attack.h"

double attack(double x) {
  FILE* file = fopen(PLACE "/made", "w");
  if (file || errno != EROFS)
    __builtin_trap();
  return x + 1;
}
