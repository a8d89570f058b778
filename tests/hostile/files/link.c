// Makes a second name of a file.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(link(PLACE "/victim", PLACE "/made"));
  return x + 1;
}
