// Closes the descriptors that it prints to.
// outcome: none
#include "attack.h"

double attack(double x) {
  printf("x is %g\n", x);
  close(1);
  close(2);
  printf("x is %g\n", x);
  return x + 1;
}
