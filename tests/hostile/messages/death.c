// Tells of its own death, as its supervisor would.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"death\":{\"hung\":false,\"signal\":9,\"status\":0,\"in_call\":true,\"in_reference\":false,\"in_"
      "constructors\":false,\"out_of_time\":false,\"input\":[\"0x1p+0\"]}}");
  return x + 1;
}
