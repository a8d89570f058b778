// Says that it is done, and is then killed as if outside of a call.
// outcome: unknown|interrupted|timed-out
#include "page.h"

double attack(double x) {
  Page* page = find_page(page_target);
  if (page)
    page->running = page_idle;
  say(DONE("1"));
  kill(getpid(), SIGKILL);
  return x;
}
