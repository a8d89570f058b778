// Types a command into the terminal.
// outcome: none
#include "attack.h"

double attack(double x) {
  int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY);
  for (const char* c = "touch " PLACE "/made\n"; *c; c++)
    REFUSED(ioctl(terminal < 0 ? 0 : terminal, TIOCSTI, c));
  return x + 1;
}
