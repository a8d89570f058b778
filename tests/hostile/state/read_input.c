// Waits for input.
// outcome: none
#include "attack.h"

double attack(double x) {
  char line[8];
  if (fgets(line, sizeof line, stdin))
    __builtin_trap();
  return x + 1;
}
