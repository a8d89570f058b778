// Code that works on the bits of floats: its reference is that of the same code without bits, or unknown.
#include "judging.h"

namespace faultline::test {
namespace {

using oracle::Certainty;
using oracle::Judgement;

constexpr const char* helpers = R"(
#include <math.h>
#include <stdint.h>
#include <string.h>
static uint64_t bits(double x) { uint64_t u; memcpy(&u, &x, 8); return u; }
static double from(uint64_t u) { double x; memcpy(&x, &u, 8); return x; }
static uint32_t bitsf(float x) { uint32_t u; memcpy(&u, &x, 4); return u; }
static float fromf(uint32_t u) { float x; memcpy(&x, &u, 4); return x; }
)";

struct OnBits {
  std::string name, by_bits, plain;
};
void PrintTo(const OnBits& code, std::ostream* stream) { *stream << code.name; }
class BitsOfFloats : public testing::TestWithParam<OnBits> {};

// x / 3 is rounded; what follows subtracts most of it.
TEST_P(BitsOfFloats, HaveTheMeaningOfTheSameCodeWithoutThem) {
  exec::Session by_bits = open_text(helpers + GetParam().by_bits);
  exec::Session plain = open_text(helpers + GetParam().plain);
  for (const long double x : {0.1L, -0.7L, 5.3L, 1e9L}) {
    const exec::Input input{(long double)(double)x};
    const Judgement judgement = lifted(by_bits, input), truth = lifted(plain, input);
    ASSERT_EQ(truth.certainty, Certainty::known) << truth.why_unknown;
    ASSERT_EQ(judgement.certainty, Certainty::known) << judgement.why_unknown;
    const numeric::BigFloat &reference = judgement.outputs[0].reference, &exact = truth.outputs[0].reference;
    EXPECT_LT(numeric::relative_error(reference.to_long_double(), exact), 1e-17) << double(x);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BitsOfFloats,
    testing::Values(
        OnBits{"absolute",
               "double f(double x) { double r = x / 3; return from(bits(r) & INT64_MAX) - fabs((double)r); }",
               "double f(double x) { return 0; }"},
        OnBits{"sign",
               "double f(double x) { double r = x / 3; return from(bits(r) ^ 1ull << 63) + x / 3 * (1 + 1e-9); }",
               "double f(double x) { double r = x / 3; return x / 3 * (1 + 1e-9) - r; }"},
        OnBits{"copied_sign",
               "double f(double x) { double r = x / 3, s = -x; return from((bits(r) & INT64_MAX) | (bits(s) & 1ull << "
               "63)) "
               "+ x * (1 - 1e-9) / 3; }",
               "double f(double x) { double r = x / 3; return x * (1 - 1e-9) / 3 - r; }"},
        OnBits{"exponent",
               "double f(double x) { double r = x / 3; return from(bits(r) + (5ull << 52)) - x * (32 - 1e-9) / 3; }",
               "double f(double x) { double r = x / 3; return r * 32 - x * (32 - 1e-9) / 3; }"},
        OnBits{"significand",
               "double f(double x) { double r = fabs(x) / 3; int k = (int)(bits(r) >> 52) - 1023; "
               "double m = from((bits(r) & 0xfffffffffffff) | 0x3ff0000000000000); return m * ldexp(1, k) - fabs(x) * "
               "(1 - "
               "1e-9) / 3; }",
               "double f(double x) { double r = fabs(x) / 3; return r - fabs(x) * (1 - 1e-9) / 3; }"},
        OnBits{"halves",
               "double f(double x) { double r = x / 3, h = from(bits(r) & 0xffffffff00000000); return (r - h) + (h - x "
               "* (1 - "
               "1e-9) / 3); }",
               "double f(double x) { double r = x / 3; return r - x * (1 - 1e-9) / 3; }"},
        OnBits{"upper_word_in_memory",
               "double f(double x) { volatile union { double d; uint32_t w[2]; } u; u.d = x / 3; u.w[1] &= 0x7fffffff; "
               "return "
               "u.d - fabs(x) * (1 - 1e-9) / 3; }",
               "double f(double x) { double r = x / 3; return fabs(r) - fabs(x) * (1 - 1e-9) / 3; }"},
        OnBits{"single",
               "double f(double x) { float r = (float)x / 3; return fromf(bitsf(r) & 0x7fffffff) - fabs((float)x * (1 "
               "- 1e-5) / "
               "3); }",
               "double f(double x) { float r = (float)x / 3; return fabsf(r) - fabs((float)x * (1 - 1e-5) / 3); }"},
        OnBits{"floor_of_its_own",
               "#define floor my_floor\n"
               "__attribute__((noinline)) double floor(double x) { int e = (int)(bits(x) >> 52 & 0x7ff) - 1023; if (e "
               "< 0 || e "
               "> 51) return e > 51 ? x : x < 0 ? -1 : 0; uint64_t m = 0xfffffffffffff >> e, u = bits(x); if ((u & m) "
               "== 0) "
               "return x; if (u >> 63) u += m; return from(u & ~m); }\n"
               "double f(double x) { double r = x / 3; return r - floor(r); }",
               "double f(double x) { double r = x / 3; return r - floor(r); }"}),
    [](const auto& info) { return info.param.name; });

// What looks whole in double is just below the integer: a floor that looks at the bits returns it unchanged.
TEST(BitsOfFloats, AFunctionThatComputesFloorIsFloor) {
  exec::Session session = open_text(std::string(helpers) + R"(
__attribute__((noinline)) double floor(double x) {
  int e = (int)(bits(x) >> 52 & 0x7ff) - 1023;
  uint64_t m = 0xfffffffffffffull >> e;
  return (bits(x) & m) == 0 ? x : from(bits(x) & ~m);
}
double f(double x) { double k = floor(x * 10 + 1); return k - (int)k; }
)");
  const Judgement judgement = lifted(session, {0x1.3333333333333p-2L}); // 0.3 - 1e-17
  ASSERT_EQ(judgement.certainty, Certainty::known) << judgement.why_unknown;
  EXPECT_TRUE(judgement.outputs[0].reference.is_zero()) << judgement.outputs[0].reference.to_string(20);
}

TEST(BitsOfFloats, OtherUsesOfTheBitsOfRoundedValuesAreUnknown) {
  exec::Session session = open_text(std::string(helpers) + R"(
double f(double x) { double r = x / 3; return from(0x5fe6eb50c7b537a9 - (bits(r) >> 1)); }
)");
  EXPECT_EQ(lifted(session, {3.0L}).certainty, Certainty::known); // 1 is exact
  const Judgement judgement = lifted(session, {0.1L});
  EXPECT_EQ(judgement.certainty, Certainty::unknown);
  EXPECT_NE(judgement.why_unknown.find("the bits of a rounded value"), std::string::npos) << judgement.why_unknown;
}

} // namespace
} // namespace faultline::test
