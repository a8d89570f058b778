// Sends a finding whose name is a path out of the corpus.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"finding\":{\"id\":\"../../"
      "made\",\"kind\":\"overflow\",\"input\":{\"x\":{\"decimal\":\"1\",\"hex\":\"0x1p+0\"}},\"everyday\":true,"
      "\"oracle\":\"lifted\",\"strategy\":\"auto\",\"verdict\":\"avoidable\",\"detail\":\"made up\"}}");
  return x + 1;
}
