// Says in its first calls that it is done, and ends as if it were outside of a call.
// outcome: unknown
#include "page.h"

double attack(double x) {
  Page* page = find_page(page_target);
  if (page)
    page->running = page_idle;
  say(DONE("1000000000"));
  syscall(SYS_exit_group, 0);
  return x;
}
