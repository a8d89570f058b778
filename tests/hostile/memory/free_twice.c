// Frees memory twice.
// outcome: none|crashed|found
#include "attack.h"

double attack(double x) {
  char* block = malloc(64);
  free(block);
  if (x > 10)
    free(block);
  return x + 1;
}
