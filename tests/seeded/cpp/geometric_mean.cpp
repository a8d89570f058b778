// The product of a few small floats underflows; their mean is as small as they are.
// options: --size v=4 --range v=1e-20:1e-5
#include <cmath>
#include <cstddef>

namespace {

template <typename T>
T product_of(const T *values, std::size_t count) {
  T product = 1;
  for (std::size_t i = 0; i < count; ++i)
    product *= values[i]; // FAULT: intermediate-underflow
  return product;
}

} // namespace

float geometric_mean(const float *v) {
  const float product = product_of(v, 4);
  return std::sqrt(std::sqrt(product));
}
