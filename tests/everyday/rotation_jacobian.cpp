// The coefficient (theta - sin theta) / theta^3 of the Jacobian of a rotation vector, with its limit for no rotation.
#include <cmath>

class Rotation {
public:
  Rotation(double x, double y, double z) : angle_(std::sqrt(x * x + y * y + z * z)) {}

  double coefficient() const {
    if (angle_ < 1e-8)
      return 1.0 / 6 - angle_ * angle_ / 120;
    const double cube = angle_ * angle_ * angle_;
    return (angle_ - std::sin(angle_)) / cube; // bug: cancellation
  }

private:
  double angle_;
};

double rotation_jacobian(double x, double y, double z) { return Rotation(x, y, z).coefficient(); }
