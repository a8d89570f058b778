// Says for every function of the program that it is done, before the first call.
// outcome: unknown|interrupted
#include "page.h"

__attribute__((constructor)) static void construct(void) {
  Page* page = find_page(page_constructors);
  if (page)
    page->running = page_idle;
  say(DONE("10000"));
  syscall(SYS_exit_group, 0);
}

double attack(double x) { return x; }
