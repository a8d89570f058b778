// Waits for a lock that it holds.
// outcome: timed-out
// finding: timeout: did not come back
#include "attack.h"

double attack(double x) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  if (x > 10) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
  }
  return x + 1;
}
