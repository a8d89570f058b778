// The mean of the logarithms, in double: the exponential makes their errors larger.
// options: --size v=4 --range v=1e-20:1e-5
#include <cmath>
#include <cstddef>

namespace {

template <typename T>
double mean_logarithm(const T* values, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    sum += std::log(double(values[i]));
  return sum / double(count);
}

} // namespace

float geometric_mean(const float* v) { return float(std::exp(mean_logarithm(v, 4))); }
