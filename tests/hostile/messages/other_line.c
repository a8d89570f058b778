// Puts its own end in the place of the channel.
// outcome: unknown|found|interrupted|timed-out
#include "attack.h"

double attack(double x) {
  dup2(1, 3);
  return x + 1;
}
