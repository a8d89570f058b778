// Functions of Eigen's vectors and matrices, fixed and dynamic.
#include <Eigen/Dense>

double determinant(const Eigen::Matrix3d& m) { return m.determinant(); }
double length(const Eigen::Vector3d& v) { return v.norm(); }
double by_value(Eigen::Vector2d v) { return v[0] - v[1]; }
double trace(const Eigen::MatrixXd& m) { return m.trace(); }
Eigen::VectorXd scaled(const Eigen::Ref<const Eigen::VectorXd>& v, double f) { return v * f - v; }
double mapped(Eigen::Map<const Eigen::Vector3d> v) { return v[0] + v[1] - v[2]; }
Eigen::Matrix2d squared(const Eigen::Matrix2d& m) { return m * m; }
