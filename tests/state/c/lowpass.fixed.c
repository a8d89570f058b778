// A filter whose coefficients follow from its frequency. The struct has arrays and the frequency in a struct of its
// own.
#include <math.h>

typedef struct {
  struct {
    double angle;
  } frequency;
  double b[3];
} Lowpass;

void set_coefficients(Lowpass* filter) {
  filter->b[0] = sin(filter->frequency.angle / 2) * sin(filter->frequency.angle / 2);
  filter->b[1] = 2 * filter->b[0];
  filter->b[2] = filter->b[0];
}
