// Private state that the constructor and public calls make.
#include <cmath>

class Oscillator {
public:
  explicit Oscillator(double angle) : angle(angle) {}
  void halve() { angle /= 2; }
  void scale(double factor) { angle *= factor; }
  double loss() const;

private:
  double angle;
};

double Oscillator::loss() const {
  return 1 - std::cos(angle); // FAULT
}
