// Answers a question that was not asked.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"reproduced\":true,\"what\":\"\",\"violations\":[]}");
  return x + 1;
}
