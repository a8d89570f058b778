#ifndef ROUND_CONSTS_H
#define ROUND_CONSTS_H

/* One way of rounding to a grid: adding `shift` leaves multiples of `step`. */
struct grid {
  double step;
  double shift;
  double limit; /* largest magnitude for which the shift works */
};

extern const double round_magic;   /* 1.5 * 2^52 */
extern const float round_magic_f;  /* 1.5 * 2^23 */
extern const struct grid grids[3]; /* 1, 1/64, 256 */
extern double coarse_shift;        /* 2^60, can be set by the caller */

#endif
