// Sends bytes that are no text.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("\xff\xfe\x80");
  return x + 1;
}
