// The local error of every operation, against MPFR with more bits than any exact result here needs.
#include "reading.h"

#include "numeric/bigfloat.h"
#include "numeric/format.h"
#include "numeric/random.h"
#include "tape/adjoint.h"
#include "tape/intended.h"

namespace faultline::test {
namespace {

using numeric::BigFloat;
using ops::Op;

constexpr const char* arithmetic = R"(
  void f(T x, T y, T* r) {
    r[0] = x + y; r[1] = x - y; r[2] = x * y; r[3] = x / y; r[4] = x > 0 ? SQRT(x) : SQRT(y * y);
    r[5] = FMA(x, y, r[0]); r[6] = r[0] * r[1] + r[3]; r[7] = (r[6] - x) / 3; r[8] = -x; r[9] = (T)(float)x;
  })";
constexpr const char* functions = R"(
  void f(T x, T y, T* r) {
    r[0] = SIN(x); r[1] = EXP(x); r[2] = LOG(x * x + y); r[3] = POW(x, y); r[4] = ATAN2(x, y); r[5] = CBRT(x); r[6] = HYPOT(x, y);
    r[7] = TANH(x); r[8] = EXP(r[0]) - 1; r[9] = COS(r[5]);
  })";

std::string source(const std::string& type, const std::string& suffix, const char* body) {
  std::string text = "#include <math.h>\ntypedef " + type + " T;\n";
  for (const char* name : {"sqrt", "fma", "sin", "cos", "exp", "log", "pow", "atan2", "cbrt", "hypot", "tanh"}) {
    std::string upper = name;
    for (char& c : upper)
      c = char(std::toupper(c));
    text += fmt::format("#define {} {}{}\n", upper, name, suffix);
  }
  return text + body;
}

// What the error is, as a double.
double truth(const tape::Tape& tape, uint32_t index) {
  const Op op = tape.site(index).op;
  const bool wide = op == Op::fadd || op == Op::fsub || op == Op::fma; // x87's exponents span 32768 bits
  const long precision = wide ? 70'000 : 600;
  const int arity = ops::arity(op);
  BigFloat a(tape.exact(tape.operand(index, 0)), 64), b(arity > 1 ? tape.exact(tape.operand(index, 1)) : 0, 64);
  BigFloat c(arity > 2 ? tape.exact(tape.operand(index, 2)) : 0, 64), exact(precision);
  ops::evaluate(op, exact.raw(), a.raw(), b.raw(), c.raw());
  BigFloat error(precision);
  BigFloat recorded(tape.exact(index), 64);
  mpfr_sub(error.raw(), exact.raw(), recorded.raw(), MPFR_RNDN);
  return error.to_double();
}

template <typename Float> Float any_finite(numeric::Rng& rng) {
  if constexpr (std::is_same_v<Float, long double>) // as far as an error can be told as a double
    return any_finite<double>(rng) * (1 + (long double)rng.uniform() * 0x1p-50L);
  const auto high = numeric::ordered(std::numeric_limits<Float>::max());
  const auto low = numeric::ordered(Float(-std::numeric_limits<Float>::max()));
  const auto width = numeric::Uint128(numeric::Int128(high) - numeric::Int128(low)) + 1;
  const numeric::Uint128 draw = ((numeric::Uint128(rng.next()) << 64) | rng.next()) % width;
  return numeric::from_ordered<Float>(numeric::Ordered<Float>(numeric::Int128(low) + numeric::Int128(draw)));
}

struct Seen {
  int errors = 0, subnormal = 0, huge = 0, checked = 0;
};

template <typename Float> Seen check(exec::Session& session, const exec::Input& input) {
  Seen seen;
  tape::Tape tape = read(session, input);
  const std::vector<double> all = tape::rounding(tape);
  EXPECT_EQ(all.size(), tape.size());
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const double found = tape::rounding(tape, index);
    EXPECT_EQ(all[index], found);
    const Op op = tape.site(index).op;
    if (ops::is_leaf(op) || ops::is_comparison(op) || !std::isfinite(tape.exact(index))) {
      EXPECT_EQ(found, 0);
      continue;
    }
    const double expected = truth(tape, index);
    if (!std::isfinite(expected) || tape.exact(index) == 0) // what vanishes has a test of its own
      continue;
    const auto result = double(std::fabs(tape.exact(index)));
    // Far below the result's last bit, the error of the error does not matter.
    const double tolerance = std::fabs(expected) * 1e-6 + result * 0x1p-130 + std::numeric_limits<double>::denorm_min();
    EXPECT_NEAR(found, expected, tolerance)
        << ops::name(op)
        << fmt::format(" of {} and {} makes {}", tape.exact(tape.operand(index, 0)),
                       ops::arity(op) > 1 ? tape.exact(tape.operand(index, 1)) : 0, tape.exact(index));
    ++seen.checked;
    seen.errors += expected != 0;
    seen.subnormal += tape.exact(index) != 0 && std::fabs(tape.exact(index)) < std::numeric_limits<Float>::min();
    seen.huge += std::fabs(tape.exact(index)) > std::numeric_limits<Float>::max() / 1e6f;
  }
  return seen;
}

template <typename Float>
void check_all(const std::string& type, const std::string& suffix, const char* body, bool everywhere) {
  exec::Session session = open_text(source(type, suffix, body), ".c", "f", {.sizes = {{"r", {10}}}});
  numeric::Rng rng(7);
  Seen total;
  auto add = [&](long double x, long double y) {
    if (testing::Test::HasFailure())
      return;
    exec::Input input = {x, y};
    input.resize(session.target().inputs.size());
    const Seen seen = check<Float>(session, input);
    total.errors += seen.errors;
    total.subnormal += seen.subnormal;
    total.huge += seen.huge;
    total.checked += seen.checked;
  };
  for (int i = 0; i < 60; ++i)
    add(Float(rng.uniform(-3, 3)), Float(rng.uniform(-3, 3)));
  for (int i = 0; everywhere && i < 300; ++i) {
    const Float x = any_finite<Float>(rng);
    const Float y = i % 3 == 0   ? any_finite<Float>(rng)
                    : i % 3 == 1 ? Float(x * Float(rng.uniform(0.5, 2)))
                                 : Float(rng.uniform() * 4 / x);
    if (std::isfinite(y))
      add(x, y);
  }
  EXPECT_GT(total.errors, total.checked / 8);
  if (everywhere && !std::is_same_v<Float, long double>) {
    EXPECT_GT(total.subnormal, 5);
    EXPECT_GT(total.huge, 5);
  }
}

TEST(Rounding, OfFloatArithmeticIsExact) { check_all<float>("float", "f", arithmetic, true); }
TEST(Rounding, OfDoubleArithmeticIsExact) { check_all<double>("double", "", arithmetic, true); }
TEST(Rounding, OfLongDoubleArithmeticIsExact) { check_all<long double>("long double", "l", arithmetic, true); }
TEST(Rounding, OfFloatFunctionsIsExact) { check_all<float>("float", "f", functions, false); }
TEST(Rounding, OfDoubleFunctionsIsExact) { check_all<double>("double", "", functions, false); }
TEST(Rounding, OfLongDoubleFunctionsIsExact) { check_all<long double>("long double", "l", functions, false); }

TEST(Rounding, OfAFloatProductThatVanishesIsTheProduct) {
  exec::Session session = open_text("float f(float x, float y) { return x * y + 1e-40f; }");
  tape::Tape tape = read(session, {4e-24f, 4e-24f});
  ASSERT_EQ(tape.value(find(tape, Op::fmul)), 0);
  EXPECT_EQ(tape::rounding(tape, find(tape, Op::fmul)), double(4e-24f) * double(4e-24f));
}

TEST(Rounding, OfALongDoubleBeyondDoublesRangeIsNotForgotten) {
  exec::Session session = open_text("long double f(long double x) { return x / 7; }");
  tape::Tape tape = read(session, {1e310L});
  EXPECT_NEAR(tape::rounding(tape, find(tape, Op::fdiv)) / truth(tape, find(tape, Op::fdiv)), 1, 1e-6);
}

TEST(Rounding, OfAConversionToFloatIsWhatIsCutOff) {
  exec::Session session = open_text("float f(double x) { return (float)x; }");
  tape::Tape tape = read(session, {0.1});
  EXPECT_EQ(tape::rounding(tape, find(tape, Op::fptrunc)), 0.1 - double(0.1f));
}

TEST(Rounding, OfMagicNumberRoundingIsNoError) {
  exec::Session session = open_text("double f(double x) { double r = x + 0x1.8p52; r = r - 0x1.8p52; return x - r; }");
  tape::Tape tape = read(session, {3.7});
  tape::note_intended_roundings(session, tape);
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.site(index).op == Op::round_add) {
      EXPECT_EQ(tape::rounding(tape, index), 0);
      return;
    }
  FAIL() << "the rounding was not recognised";
}

} // namespace
} // namespace faultline::test
