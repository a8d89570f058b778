// The textbook's warning, in a class template: G. Forsythe, How Do You Solve a Quadratic Equation? (Stanford, 1966);
// D. Goldberg, What Every Computer Scientist Should Know About Floating-Point Arithmetic (ACM Computing Surveys, 1991).
//
// When b^2 is much larger than 4ac, sqrt(b^2 - 4ac) is nearly |b|, and one of the two roots is a difference of nearly
// equal numbers: a = 1, b = 1e8, c = 1 has a root near -1e-8, and the naive formula is 25 % off. Also, b^2 overflows
// for b above 1e154. The stable member takes the root that adds, and gets the other one from the product of the roots.
#include <cmath>

template <typename T>
class Quadratic {
public:
  Quadratic(T a, T b, T c) : a_(a), b_(b), c_(c) {}

  T naive_root() const {
    T root = root_of_discriminant();
    return (-b_ + root) / (2 * a_); // cancels for b > 0
  }

  T stable_root() const {
    T root = root_of_discriminant();
    return b_ > 0 ? 2 * c_ / (-b_ - root) : (-b_ + root) / (2 * a_);
  }

private:
  T root_of_discriminant() const { return std::sqrt(b_ * b_ - 4 * a_ * c_); }

  T a_, b_, c_;
};

double quadratic_root(double a, double b, double c) { return Quadratic<double>(a, b, c).naive_root(); }

float quadratic_root_single(float a, float b, float c) { return Quadratic<float>(a, b, c).naive_root(); }

double quadratic_root_stable(double a, double b, double c) { return Quadratic<double>(a, b, c).stable_root(); }
