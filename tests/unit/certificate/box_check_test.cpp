// The floats of a format, as the checker tells them.
#include "certificate/check.h"
#include "numeric/random.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace faultline::certificate {
namespace {

using numeric::Format;

double double_of(const Real& real) { return arf_get_d(real.raw(), ARF_RND_UP); }

TEST(BoxCheck, FloatsAboveAreTheNextOnes) {
  numeric::Rng rng(2);
  for (int i = 0; i < 10'000; ++i) {
    const int exponent = rng.below(4) == 0 ? -140 + int(rng.below(30)) : int(rng.below(40)) - 20;
    const auto digits = int64_t(rng.below(rng.below(2) ? 64 : 1 << 24));
    const float at = std::ldexp(float(rng.below(2) ? digits : -digits), exponent - 20);
    const float next = std::nextafterf(at, INFINITY);
    EXPECT_TRUE(is_float(double(at), Format::binary32));
    EXPECT_EQ(double_of(float_above(double(at), Format::binary32)), double(next));
    EXPECT_FALSE(is_float((double(at) + double(next)) / 2, Format::binary32));
  }
  EXPECT_EQ(double_of(float_above(0.0, Format::binary64)), 0x1p-1074);
  EXPECT_EQ(double_of(largest(Format::binary64)), std::numeric_limits<double>::max());
}

} // namespace
} // namespace faultline::certificate
