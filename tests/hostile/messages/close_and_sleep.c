// Closes the channel, and lives on.
// outcome: timed-out|interrupted|found
#include "attack.h"

double attack(double x) {
  close(3);
  sleep(100000);
  return x + 1;
}
