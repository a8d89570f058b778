// How deep a lens of radius r is across a small aperture: the square root is next to r.
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
  double depth = lens.radius - inner; // FAULT: cancellation
  return depth;
}
