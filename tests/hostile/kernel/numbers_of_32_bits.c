// Calls the kernel as a program of 32 bits: number 2 is fork there.
// outcome: crashed|found
// finding: crash: killed the worker process
#include "attack.h"

double attack(double x) {
  long result;
  if (x > 10)
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(2) : "memory");
  return x + 1;
}
