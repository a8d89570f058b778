// Loops with a fixed number of turns, against bounds that are derived by hand, or all floats of a range.
#include "proving.h"

namespace faultline::test {
namespace {

std::string dot_of(size_t count) {
  return fmt::format(
      "double f(const double x[{0}], const double y[{0}]) {{ double s = 0; for (int i = 0; i < {0}; i++) "
      "s += x[i] * y[i]; return s; }}",
      count);
}

// Half a unit in the last place of each product and of each sum but the first, where all numbers are as large as they
// can be: 0.9801 k is below the power of two that k is.
double dot_by_hand(size_t count) {
  double error = 0;
  for (size_t k = 1; k <= count; ++k)
    error +=
        std::ldexp(1.0, std::ilogb(0.9801) - 53) + (k > 1 ? std::ldexp(1.0, std::ilogb(0.9801 * double(k)) - 53) : 0);
  return error;
}

class DotProduct : public testing::TestWithParam<size_t> {};

TEST_P(DotProduct, HasTheBoundThatIsDerivedByHand) {
  const size_t count = GetParam();
  Proof proof(dot_of(count), std::vector<prove::InputDimension>(2 * count, doubles(0, 0.99)),
              {{"x", {uint32_t(count)}}, {"y", {uint32_t(count)}}});
  proof.run(500);
  ASSERT_TRUE(proof.proof->complete()) << proof.proof->open().front().reason;
  EXPECT_NEAR(proof.proven(), dot_by_hand(count), 1e-6 * dot_by_hand(count));
}

INSTANTIATE_TEST_SUITE_P(All, DotProduct, testing::Values(4, 8, 32));

struct Loop {
  std::string name, text;
  float low, high;
  double times; // the true worst: what the bound may be
};
void PrintTo(const Loop& loop, std::ostream* stream) { *stream << loop.name; }

class FixedLoop : public testing::TestWithParam<Loop> {};

TEST_P(FixedLoop, IsBoundedNearTheWorstOfAllFloats) {
  const Loop& loop = GetParam();
  Proof proof(loop.text, {floats(loop.low, loop.high)});
  proof.run();
  ASSERT_TRUE(proof.proof->complete());
  double worst = 0;
  for (float x = loop.low; x <= loop.high; x = std::nextafter(x, INFINITY))
    worst = std::max(worst, proof.true_error({x}));
  EXPECT_LE(worst, proof.proven());
  EXPECT_LE(proof.proven(), loop.times * worst);
}

INSTANTIATE_TEST_SUITE_P(
    All, FixedLoop,
    testing::Values(
        Loop{"euler", "float f(float x) { for (int i = 0; i < 8; i++) x = x + 0.125f * x * (1 - x); return x; }", 0.5F,
             0.501953125F, 3},
        Loop{"newton",
             "float f(float x) { float y = x; for (int i = 0; i < 4; i++) y = 0.5f * (y + x / y); return y; }", 1.5F,
             1.50390625F, 2},
        Loop{"horner",
             "float f(float x) { float s = 0; for (int i = 0; i < 8; i++) s = s * x + 1.0f / (i + 1); return s; }",
             0.75F, 0.751953125F, 3}),
    [](const auto& info) { return info.param.name; });

} // namespace
} // namespace faultline::test
