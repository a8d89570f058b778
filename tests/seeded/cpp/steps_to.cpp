// Ten steps of 0.1 do not reach 1 in floating point, so the loop makes one more.
// options: --range goal=1:10 --range step=0.1:0.5
class Walk {
public:
  explicit Walk(double step) : step_(step) {}

  double steps_to(double goal) {
    double steps = 0;
    while (position_ < goal) { // FAULT: branch-flip
      position_ += step_;
      steps += 1;
    }
    return steps;
  }

private:
  double step_;
  double position_ = 0;
};

double steps_to(double goal, double step) { return Walk(step).steps_to(goal); }
