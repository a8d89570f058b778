// The mean of the logarithms.
// options: --size v=4 --range v=1e-20:1e-5
#include <cmath>
#include <cstddef>

namespace {

template <typename T>
T mean_logarithm(const T *values, std::size_t count) {
  T sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    sum += std::log(values[i]);
  return sum / T(count);
}

} // namespace

float geometric_mean(const float *v) {
  return std::exp(mean_logarithm(v, 4));
}
