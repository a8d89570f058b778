// Spawns a program.
// outcome: none
#include "attack.h"

double attack(double x) {
  char* words[] = {"touch", PLACE "/made", 0};
  pid_t child;
  if (posix_spawn(&child, "/bin/touch", 0, 0, words, environ) == 0)
    __builtin_trap();
  return x + 1;
}
