// quadratic.cpp without its bugs: the root that cancels comes from the product of the roots, and the discriminant is
// computed in a wider format, with the rounding of its products.
#include <cmath>

template <typename T, typename Wide>
class Quadratic {
public:
  Quadratic(T a, T b, T c) : a_(a), b_(b), c_(c) {}

  T root() const {
    const Wide root = root_of_discriminant();
    return T(b_ > 0 ? 2 * c_ / (-b_ - root) : (-b_ + root) / (2 * a_));
  }

private:
  // Kahan's: both products are rounded, and what they lost is added.
  Wide root_of_discriminant() const {
    const Wide square = b_ * b_, product = 4 * a_ * c_;
    const Wide lost = std::fma(b_, b_, -square) - std::fma(4 * a_, c_, -product);
    return std::sqrt((square - product) + lost);
  }

  Wide a_, b_, c_;
};

double quadratic_root(double a, double b, double c) { return Quadratic<double, long double>(a, b, c).root(); }

float quadratic_root_single(float a, float b, float c) { return Quadratic<float, long double>(a, b, c).root(); }

double quadratic_root_stable(double a, double b, double c) { return Quadratic<double, long double>(a, b, c).root(); }
