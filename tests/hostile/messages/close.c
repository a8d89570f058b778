// Closes all descriptors.
// outcome: unknown|found|interrupted|timed-out
#include "attack.h"

double attack(double x) {
  for (int i = 0; i < 100; i++)
    close(i);
  return x + 1;
}
