// Private state that the constructor and public calls make.
#include <cmath>

class Ramp {
public:
  explicit Ramp(double slope) : slope(slope) {}
  void scale(double factor) { slope *= factor; }
  double excess() const;

private:
  double slope;
};

double Ramp::excess() const { return slope * slope / (1 + std::sqrt(1 + slope * slope)); }
