/* The number format of these programs: binary64, or binary128 with -DQUAD (GCC, -lquadmath), as the truth. */
#include <math.h>
#ifdef QUAD
#include <quadmath.h>
typedef __float128 real;
#define sqrt sqrtq
#define exp expq
#define log logq
#define sin sinq
#define cos cosq
#define pow powq
#define fabs fabsq
#define fmin fminq
#define fmax fmaxq
#define floor floorq
#else
typedef double real;
#endif
#ifndef FAULT
#define FAULT 0 /* the number of the seeded fault; 0: none */
#endif
