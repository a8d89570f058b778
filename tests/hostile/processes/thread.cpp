// Starts a thread of C++, which throws where it cannot.
// outcome: found
// finding: exception
#include "attack.h"

#include <thread>

double attack(double x) {
  std::thread([] {
    for (volatile int i = 0;; i++)
      ;
  }).detach();
  return x + 1;
}
