// Becomes a program that it has open.
// outcome: none
#include "attack.h"

static char* words[] = {"true", 0};
double attack(double x) {
  REFUSED(fexecve(open("/bin/true", O_RDONLY), words, environ));
  return x + 1;
}
