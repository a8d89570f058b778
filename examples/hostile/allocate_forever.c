/* Takes memory, and uses it, until there is none left, for x > 10; never asks whether it got any. */
#include <stdlib.h>
#include <string.h>

struct block {
  struct block* next;
  double values[128 * 1024];
};

static struct block* volatile blocks;

double allocates_forever(double x) {
  while (x > 10.0) {
    struct block* block = malloc(sizeof *block);
    memset(block->values, 1, sizeof block->values);
    block->next = blocks;
    blocks = block;
    x = x + block->values[0];
  }
  return x * x + 1.0;
}
