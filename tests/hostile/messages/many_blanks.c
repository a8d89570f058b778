// Sends megabytes of blanks.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  static char blanks[1 << 22];
  unsigned length = sizeof blanks;
  memset(blanks, 32, sizeof blanks);
  for (;;) {
    write_all(&length, sizeof length);
    write_all(blanks, sizeof blanks);
  }
  return x + 1;
}
