/* The page that a worker shares with its supervisor, as it lies in the memory of the worker. */
#ifndef PAGE_H
#define PAGE_H

#include "attack.h"
#include <stdint.h>

enum { page_idle = 0, page_target = 1, page_constructors = 3 };

typedef struct {
  volatile uint64_t call, running, stop;
  uint64_t inputs;
  long double values[1 << 17];
} Page;

static inline int is_mapped(uintptr_t address) { return access((const char*)address, 0) == 0 || errno != EFAULT; }

/* Finds the page by a pointer to it on the stack; null if there is none. */
static inline Page* find_page(uint64_t running) {
  uintptr_t* stack = (uintptr_t*)__builtin_frame_address(0);
  for (int i = 0; i < 100000; i++) {
    if (((uintptr_t)(stack + i) & 4095) == 0 && !is_mapped((uintptr_t)(stack + i)))
      break;
    const uintptr_t address = stack[i];
    if (address < 0x7e0000000000ull || address > 0x7fffffffffffull || (address & 4095) || !is_mapped(address))
      continue;
    Page* page = (Page*)address;
    if (page->running == running && page->stop == 0 && page->inputs <= 1)
      return page;
  }
  return 0;
}

#define DONE(evaluations)                                                                                              \
  "{\"done\":{\"sites\":4,\"evaluations\":" evaluations                                                                \
  ",\"seconds\":0.1,\"total_seconds\":0.1,\"unknown\":0,\"judged\":5,\"out_of_time\":false,\"cut\":false,\"stopped\":" \
  "false,"                                                                                                             \
  "\"folded\":0,\"note\":\"\"}}"

#endif
