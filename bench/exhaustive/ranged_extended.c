/* The functions of ranged.c in x87's format. */
#define REAL long double
#define NAMED(name) name##_in_extended
#include "ranged.c"
