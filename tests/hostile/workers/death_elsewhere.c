// Ends in a call, and claims another input, on which it returns.
// outcome: unknown
#include "page.h"

double attack(double x) {
  if (x > 10) {
    Page* page = find_page(page_target);
    if (page)
      page->values[0] = -1;
    syscall(SYS_exit_group, 0);
  }
  return x + 1;
}
