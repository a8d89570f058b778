// Names a phase that is longer than a line.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  char message[1000] = "{\"progress\":1,\"reached\":0,\"sites\":1,\"phase\":\"";
  memset(message + strlen(message), 'a', 500);
  strcat(message, "\"}");
  say(message);
  return x + 1;
}
