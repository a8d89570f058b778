// Where rounding may change a comparison: the bound there, against every float of a range.
#include "proving.h"

namespace faultline::test {
namespace {

using prove::Measure;

struct Border {
  std::string name, text;
  double low, high;
  double most; // of proven to the largest error that there is
};
void PrintTo(const Border& border, std::ostream* stream) { *stream << border.name; }

class AtABorder : public testing::TestWithParam<Border> {};

TEST_P(AtABorder, NoFloatHasALargerErrorAndSomeHasOneOfThatSize) {
  const Border& border = GetParam();
  Proof proof("#include <math.h>\n" + border.text, {floats(border.low, border.high)});
  proof.run(50'000);
  ASSERT_TRUE(proof.proof->complete()) << proof.proof->open().front().reason;
  double worst = 0;
  for (auto x = float(border.low); x <= float(border.high); x = std::nextafter(x, HUGE_VALF))
    worst = std::max(worst, proof.true_error({x}));
  EXPECT_LE(worst, proof.proven());
  EXPECT_GE(worst * border.most, proof.proven());
}

// Ranges of a few thousand floats, with the border within.
INSTANTIATE_TEST_SUITE_P(
    All, AtABorder,
    testing::Values(
        Border{"jump", "float f(float x) { float y = x * 0.1f; return y < 0.3f ? y : y + 1; }", 2.9995, 3.0005, 1.01},
        Border{"jump_down", "float f(float x) { float y = x / 3; if (y >= 0.7f) return y - 5; return y; }", 2.0995,
               2.1005, 1.01},
        Border{"kink", "float f(float x) { float y = x * 0.7f - 1; return y < 0 ? -y : y; }", 1.428, 1.429, 2.6},
        Border{"corner", "float f(float x) { float y = x * 3.7f; return y > 10 ? 10 : y; }", 2.7025, 2.7035, 2.1},
        Border{"root", "float f(float x) { float s = x * x; return s < 2 ? sqrtf(s) : s / 2; }", 1.414, 1.4145, 1.5},
        Border{"two",
               "float f(float x) { float y = x * 0.1f; if (y < 0.3f) y += 1; if (y * 3 < 0.95f) y -= 2; return y; }",
               2.9998, 3.0002, 1.8},
        Border{"nested",
               "float f(float x) { float y = x * x; if (y > 0.09f) { if (y * x > 0.027f) return 4; return 2; } "
               "return y; }",
               0.29999, 0.30001, 1.9},
        Border{"equal", "float f(float x) { float y = x * 0.1f; return y == 0.3f ? x : y; }", 2.9998, 3.0002, 1.01},
        Border{"floor", "float f(float x) { return floorf(x * 10) / 10; }", 0.69995, 0.70005, 1.01},
        Border{"truncated", "float f(float x) { int i = (int)(x * 10); return (float)i * x; }", 0.69995, 0.70005, 1.02},
        Border{"early",
               "float f(float x) { float t = 1, s = 1; for (int i = 1; i < 9 && t > 1e-3f; ++i) { t = t * x / i; "
               "s += t; } return s; }",
               0.538, 0.5385, 1.2}),
    [](const auto& info) { return info.param.name; });

// It compares the inputs themselves, so that both sides of it are bounded by themselves: a jump is no error there.
TEST(Border, OfInputsIsNoError) {
  Proof proof("double f(double x, double y) { if (x < y) return x * y; return 7 + x; }",
              {doubles(1, 2), doubles(1, 2)});
  proof.run();
  EXPECT_TRUE(proof.proof->complete());
  EXPECT_LE(proof.proven(), 0x1.01p-50);
}

TEST(Border, OfAllInputsMakesTheirDifferenceTheBound) {
  Proof proof("double f(double x) { double y = x + 0.1 - 0.1; return y < x ? x : x + 1; }", {doubles(1, 2)});
  proof.run();
  EXPECT_TRUE(proof.proof->complete());
  EXPECT_LE(proof.proven(), 1.001);
  EXPECT_GE(proof.proven(), 1);
}

// No float takes the second branch without the first, and exact arithmetic might: that path is not known.
TEST(Border, WithASideThatNoRunTakesIsOpen) {
  Proof proof("float f(float x) { float y = x * 0.1f; if (y < 0.3f) y += 1; if (y * 3 < 0.9f) y -= 2; return y; }",
              {floats(2.9998, 3.0002)});
  proof.run(50'000);
  EXPECT_FALSE(proof.proof->complete());
}

// The other side has no bound: nothing is proved at the border, and all the rest.
TEST(Border, WithAPoleBehindItIsOpen) {
  Proof proof("double f(double x) { double y = x * 0.1; return y < 0.3 ? y : 1 / (3 - x); }", {doubles(2, 4)});
  proof.run(5'000);
  EXPECT_FALSE(proof.proof->complete());
}

} // namespace
} // namespace faultline::test
