// Has a shell make a file, by a pipe.
// outcome: none
#include "attack.h"

double attack(double x) {
  FILE* pipe = popen("touch " PLACE "/made", "w");
  if (pipe)
    __builtin_trap();
  return x + 1;
}
