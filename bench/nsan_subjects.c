/* The subjects under clang's -fsanitize=numerical, as a program of its own: NSan's runtime cannot be loaded into
 * another.
 *
 * Reads names of subjects, one a line, and answers each with the nanoseconds that its rounds over all inputs took.
 * Reports of NSan must be off (NSAN_OPTIONS), so that its instrumentation is measured and not its printing. */
#include "subjects.h"

#include <gsl/gsl_sf.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { most_inputs = 32, most_elements = 256 };

typedef struct {
  const char* name;
  void (*call)(double* block); /* inputs first; the result goes behind them */
  size_t elements;
  int inputs, rounds;
  double low, high;
} Subject;

#define FUNCTION(name, arguments, low, high)                                                                           \
  static void call_##name(double* block) {                                                                             \
    double x = block[0];                                                                                               \
    block[1] = name arguments;                                                                                         \
  }
#define ARRAY(name, file, elements, inputs)                                                                            \
  double name(double* A);                                                                                              \
  static void call_##name(double* block) { block[elements] = name(block); }
BENCH_FUNCTIONS(FUNCTION)
BENCH_ARRAYS(ARRAY)
#undef FUNCTION
#undef ARRAY

#define FUNCTION(name, arguments, low, high) {#name, call_##name, 1, function_inputs, function_rounds, low, high},
#define ARRAY(name, file, elements, inputs) {#name, call_##name, elements, inputs, array_rounds, 0, 0},
static const Subject subjects[] = {BENCH_FUNCTIONS(FUNCTION) BENCH_ARRAYS(ARRAY)};

static double blocks[most_inputs][most_elements + 1];

static void fill(const Subject* subject) {
  for (int k = 0; k < subject->inputs; k++)
    for (size_t i = 0; i < subject->elements; i++)
      blocks[k][i] = subject->elements == 1 ? function_input(subject->low, subject->high, k) : array_input(k, i);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * (int64_t)1000000000 + time.tv_nsec;
}

int main(void) {
  char name[64];
  while (scanf("%63s", name) == 1) {
    const Subject* subject = subjects;
    while (subject < subjects + sizeof subjects / sizeof *subjects && strcmp(subject->name, name) != 0)
      subject++;
    if (subject == subjects + sizeof subjects / sizeof *subjects)
      return 2;
    fill(subject);
    int64_t start = now();
    for (int round = 0; round < subject->rounds; round++)
      for (int k = 0; k < subject->inputs; k++)
        subject->call(blocks[k]);
    printf("%lld\n", (long long)(now() - start));
    fflush(stdout);
  }
  return 0;
}
