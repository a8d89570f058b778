// h^2 / (r + sqrt(r^2 - h^2)): nothing cancels.
// options: --range radius=1:1000 --range aperture=1e-6:1
#include <math.h>

struct lens {
  double radius, half;
};

static double square(double x) { return x * x; }

static double distance_to_chord(const struct lens* lens) { return sqrt(square(lens->radius) - square(lens->half)); }

double lens_sagitta(double radius, double aperture) {
  struct lens lens = {radius, aperture / 2};
  double inner = distance_to_chord(&lens);
  return square(lens.half) / (lens.radius + inner);
}
