// Makes a file immutable, which root may.
// outcome: none
#include "attack.h"

double attack(double x) {
  int file = open(PLACE "/victim", O_RDONLY), flags = FS_IMMUTABLE_FL;
  REFUSED(ioctl(file < 0 ? 0 : file, FS_IOC_SETFLAGS, &flags));
  return x + 1;
}
