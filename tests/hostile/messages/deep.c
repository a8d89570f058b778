// Sends a document that is nested a million times.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  static char text[1 << 20];
  unsigned length = sizeof text;
  memset(text, 91, sizeof text);
  write_all(&length, sizeof length);
  write_all(text, sizeof text);
  return x + 1;
}
