// Prints gigabytes.
// outcome: none
#include "attack.h"

double attack(double x) {
  static char bytes[1 << 20];
  for (int i = 0; i < 256; i++) {
    write(1, bytes, sizeof bytes);
    write(2, bytes, sizeof bytes);
  }
  return x + 1;
}
