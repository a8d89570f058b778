// Watches a folder.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(syscall(SYS_inotify_init1, 0));
  return x + 1;
}
