// Sends no JSON.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("made");
  return x + 1;
}
