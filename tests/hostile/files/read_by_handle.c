// Opens a file by its handle, which root may, whatever its path.
// outcome: none
#include "attack.h"

static unsigned handle[8] = {8, 1};
double attack(double x) {
  REFUSED(syscall(SYS_open_by_handle_at, AT_FDCWD, handle, O_RDONLY));
  return x + 1;
}
