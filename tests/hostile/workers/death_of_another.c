// Claims that the function beside it ended its process.
// outcome: none|unknown|found|timed-out
// parallel
#include "page.h"

double attack(double x) {
  Page* own = find_page(page_target);
  if (!own)
    return x;
  Page* other[8];
  int others = 0;
  for (int i = -4; i <= 4; i++)
    if (i != 0 && is_mapped((uintptr_t)own + (uintptr_t)(i * 0x201000l)))
      other[others++] = (Page*)((char*)own + i * 0x201000l);
  for (long k = 0; k < 20000000; k++)
    for (int i = 0; i < others; i++)
      if (other[i]->inputs == 1 && other[i]->running <= 3) {
        other[i]->values[0] = 42;
        other[i]->running = page_target;
      }
  return x;
}
