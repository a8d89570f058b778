/* The functions of ranged.c in double. */
#define REAL double
#define NAMED(name) name##_in_double
#include "ranged.c"
