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
        OnBits{
            "returned_by_a_function",
            "__attribute__((noinline)) uint64_t bits_of(double x) { return bits(x); }\n"
            "double f(double x) { double r = x / 3; return from(bits_of(r) & INT64_MAX) - fabs(x) * (1 - 1e-9) / 3; }",
            "double f(double x) { double r = fabs(x) / 3; return r - fabs(x) * (1 - 1e-9) / 3; }"},
        OnBits{"passed_to_a_function",
               "__attribute__((noinline)) double made_of(int k, uint64_t u) { return from(u) * k; }\n"
               "double f(double x) { double r = x / 3; return made_of(2, bits(r)) - x * (2 - 1e-9) / 3; }",
               "double f(double x) { double r = x / 3; return 2 * r - x * (2 - 1e-9) / 3; }"},
        OnBits{
            "significand_as_a_number",
            "double f(double x) { double r = fabs(x) / 3; int e = (int)(bits(r) >> 52) - 1075; uint64_t m = (bits(r) & "
            "0xfffffffffffff) | 1ull << 52; return ldexp((double)m, e) - fabs(x) * (1 - 1e-9) / 3; }",
            "double f(double x) { double r = fabs(x) / 3; return r - fabs(x) * (1 - 1e-9) / 3; }"},
        OnBits{
            "bytes_in_memory",
            "double f(double x) { double r = x / 3, s; volatile unsigned char from[8], to[8]; memcpy((void *)from, &r, "
            "8); for (int i = 0; i < 8; ++i) to[i] = from[i]; to[7] &= 0x7f; memcpy(&s, (void *)to, 8); return s - "
            "fabs(x) * (1 - 1e-9) / 3; }",
            "double f(double x) { double r = fabs(x) / 3; return r - fabs(x) * (1 - 1e-9) / 3; }"},
        OnBits{
            "scaled_and_shortened",
            "double f(double x) { double r = fabs(x) / 3; int k = (int)(bits(r) >> 52) - 1023; uint64_t m = (bits(r) & "
            "0xfffffffffffff) | 1023ull << 52; double h = ldexp(from((m + (2ull << 30)) & ~0ull << 30), k); return (r "
            "- "
            "h) + (h - fabs(x) * (1 - 1e-9) / 3); }",
            "double f(double x) { double r = fabs(x) / 3; return r - fabs(x) * (1 - 1e-9) / 3; }"},
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

// The test of the rounding direction goes the other way in exact arithmetic.
TEST(BitsOfFloats, AFunctionThatComputesARootIsARoot) {
  exec::Session session = open_text(std::string(helpers) + R"(
__attribute__((noinline)) double sqrt(double x) {
  long double y = x < 2 ? 1 : x;
  for (int i = 0; i < 60; ++i)
    y = (y + x / y) / 2;
  double r = y;
  volatile double one = 1, tiny = 1e-300;
  return one - tiny >= one ? r : from(bits(r) - 1);
}
double f(double x) { double r = sqrt(x); return r * r - x; }
)");
  const Judgement judgement = lifted(session, {3});
  ASSERT_EQ(judgement.certainty, Certainty::known) << judgement.why_unknown;
  EXPECT_TRUE(judgement.outputs[0].reference.is_zero()) << judgement.outputs[0].reference.to_string(20);
}

TEST(BitsOfFloats, InWordsOfALongDoubleAreDigitsBelowTheExponent) {
  const std::string words = std::string(helpers) + R"(
union words { long double x; struct { uint64_t m; uint16_t e; } i; };
long double f(long double x) {
  union words u = {x / 3}, v = {1.0};
  u.i.m &= ~0ull << 32;
  v.i.e = 0x3fff + 2;
)";
  exec::Session kept = open_text(words + "  return (x / 3 - u.x) * v.x + (u.x - x * (1 - 1e-9L) / 3) * v.x; }");
  const Judgement judgement = lifted(kept, {0.1L});
  ASSERT_EQ(judgement.certainty, Certainty::known) << judgement.why_unknown;
  EXPECT_NEAR(judgement.outputs[0].reference.to_double(), 4e-10 / 3, 1e-19);
  exec::Session made = open_text(words + "  u.i.m = (u.i.m >> 32) * 0x9e3779b9u | 1ull << 63; return u.x; }");
  EXPECT_EQ(lifted(made, {0.1L}).certainty, Certainty::unknown);
}

TEST(BitsOfFloats, AreThoseOfTheLargerNumberInAMaximum) {
  exec::Session session = open_text(std::string(helpers) + R"(
double f(double x) {
  double a = x / 3, b = x / 7;
  uint32_t i = bits(a) >> 32, j = bits(b) >> 32, k = i > j ? i : j;
  double h = from((uint64_t)k << 32);
  return (a - h) + (h - x * (1 - 1e-9) / 3);
}
)");
  EXPECT_EQ(lifted(session, {0.1L}).certainty, Certainty::known);
}

TEST(BitsOfFloats, OfTwoNumbersInMemoryAreUnknown) {
  exec::Session session = open_text(std::string(helpers) + R"(
double f(double x) {
  double a = x / 3, b = x / 7;
  volatile uint64_t u = (bits(a) & 0xffffffff00000000) | (bits(b) & 0xffffffff);
  double r;
  memcpy(&r, (void *)&u, 8);
  return r;
}
)");
  EXPECT_EQ(lifted(session, {0.1L}).certainty, Certainty::unknown);
}

// The bits of x * x say "infinite", and x * x is 1e400.
TEST(BitsOfFloats, OfANumberThatOverflowsAreUnknown) {
  exec::Session session = open_text(std::string(helpers) + R"(
double f(double x) {
  double r = x * x;
  volatile int exponent = (int)(bits(r) >> 52);
  return exponent == 0x7ff ? x : sqrt(r);
}
)");
  EXPECT_EQ(lifted(session, {3}).certainty, Certainty::known);
  const Judgement judgement = lifted(session, {1e200L});
  EXPECT_EQ(judgement.certainty, Certainty::unknown);
  EXPECT_NE(judgement.why_unknown.find("a number that overflows, in line"), std::string::npos) << judgement.why_unknown;
}

// Its result is then its own.
TEST(BitsOfFloats, AFunctionNamedLikeARoundingMayReturnSomethingElse) {
  exec::Session session = open_text(std::string(helpers) + R"(
__attribute__((noinline)) double __ieee754_floor(double x) { return x / 3 + 100; }
double f(double x) { return __ieee754_floor(x); }
)");
  const Judgement judgement = lifted(session, {5});
  ASSERT_EQ(judgement.certainty, Certainty::known) << judgement.why_unknown;
  EXPECT_NEAR(judgement.outputs[0].reference.to_double(), 100 + 5. / 3, 1e-13);
}

// The usual way to make a NaN on purpose.
TEST(BitsOfFloats, ADifferenceOfANumberAndItselfIsZero) {
  exec::Session session =
      open_text(std::string(helpers) + "double f(double x) { double r = x / 3; return (r - r) / (r - r); }");
  const Judgement judgement = lifted(session, {0.1L});
  ASSERT_EQ(judgement.certainty, Certainty::known) << judgement.why_unknown;
  EXPECT_TRUE(judgement.outputs[0].reference.is_nan());
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
