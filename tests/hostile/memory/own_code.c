// Writes over its own code.
// outcome: none|unknown|crashed|found|timed-out
#include "attack.h"

double attack(double x);
double attack(double x) {
  char* code = (char*)((unsigned long)&attack & ~0xffful);
  if (x > 10 && mprotect(code, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
    memset((char*)&attack, 0xcc, 16);
  return x + 1;
}
