// Looks for the variables of the user: in the environment, and in the memory where the kernel has put them.
// outcome: none
#include "page.h"

double attack(double x) {
  const char name[] = {'S', 'E', 'C', 'R', 'E', 'T'};
  extern char** environ;
  if (getenv("SECRET"))
    __builtin_trap();
  for (char** variable = environ; variable && *variable; ++variable)
    if (strncmp(*variable, "LC_", 3) != 0 && strncmp(*variable, "LANG=", 5) != 0)
      __builtin_trap();
  for (uintptr_t at = (uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)4095; is_mapped(at); at += 4096)
    for (const char* text = (const char*)at; text < (const char*)at + 4096 - sizeof name - 1; ++text)
      if (memcmp(text, name, sizeof name) == 0 && text[sizeof name] == '=')
        __builtin_trap();
  return x + 1;
}
