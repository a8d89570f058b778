// Asks every worker of the program to stop, as only the supervisor does.
// outcome: unknown
#include "page.h"

__attribute__((constructor)) static void construct(void) {
  Page* page = find_page(page_constructors);
  if (page)
    page->stop = 1;
}

double attack(double x) { return x; }
