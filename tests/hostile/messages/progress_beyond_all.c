// Tells of more progress than there can be.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"progress\":99999999999999999999,\"reached\":0,\"sites\":0,\"phase\":\"\"}");
  return x + 1;
}
