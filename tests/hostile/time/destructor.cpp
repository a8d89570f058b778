// Never ends when the process does.
// outcome: none
#include "attack.h"

struct Loop {
  ~Loop() {
    for (volatile int i = 0;; i++)
      ;
  }
} loop;

double attack(double x) {
  atexit([] { pause(); });
  return x + 1;
}
