// Starts a thread that computes for ever.
// outcome: none
#include "attack.h"

static void* for_ever(void* argument) {
  for (volatile int i = 0;; i++)
    ;
  return argument;
}
double attack(double x) {
  pthread_t thread;
  if (pthread_create(&thread, 0, for_ever, 0) == 0)
    __builtin_trap();
  return x + 1;
}
