// The sign of n * step - goal is exact with a fused multiply-add.
// options: --range goal=1:10 --range step=0.1:0.5
#include <cmath>

class Walk {
public:
  explicit Walk(double step) : step_(step) {}

  double steps_to(double goal) const {
    double steps = 0;
    while (std::fma(steps, step_, -goal) < 0)
      steps += 1;
    return steps;
  }

private:
  double step_;
};

double steps_to(double goal, double step) { return Walk(step).steps_to(goal); }
