#include "goal/exception.h"

#include "../tape/reading.h"
#include "numeric/format.h"
#include "numeric/random.h"
#include "tape/exceptions.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace faultline::goal {
namespace {

using Kind = ops::Exception;

// One operation of a double function f(x, y).
class OneOperation {
public:
  explicit OneOperation(const std::string& expression)
      : session_(test::open_text("#include <complex.h>\n#include <math.h>\ndouble f(double x, double y) { return " +
                                     expression + "; }",
                                 ".c", "f")) {}

  exec::Run run(double x, double y) { return session_.run({x, y}); }
  tape::Tape tape(double x, double y) { return tape::Tape(run(x, y), session_.sites(), 2); }
  double distance(Kind kind, double x, double y = 0) {
    const tape::Tape tape = this->tape(x, y);
    return goal::distance({tape.record(tape.size() - 1).site, kind}, tape);
  }
  bool happened(Kind kind, double x, double y = 0) {
    const tape::Tape tape = this->tape(x, y);
    return goal::happened({tape.record(tape.size() - 1).site, kind}, tape);
  }

private:
  exec::Session session_;
};

TEST(ExceptionGoal, OverflowAndUnderflowAreEquallyFarFromOne) {
  OneOperation product("x * y");
  EXPECT_NEAR(product.distance(Kind::overflow, 1, 1), 1024, 1);
  EXPECT_NEAR(product.distance(Kind::underflow, 1, 1), 1022, 1);
  EXPECT_EQ(product.distance(Kind::overflow, 1e200, 1e200), 0);
  EXPECT_EQ(product.distance(Kind::underflow, 1e-200, 1e-200), 0);
}

TEST(ExceptionGoal, TheDistanceShrinksWithEveryBinade) {
  OneOperation product("x * y");
  double last = std::numeric_limits<double>::infinity();
  for (int exponent = 0; exponent < 1023; ++exponent) {
    const double distance = product.distance(Kind::overflow, std::ldexp(1, exponent), 1);
    EXPECT_LT(distance, last) << exponent;
    last = distance;
  }
}

TEST(ExceptionGoal, ADivisorCountsTheFloatsToZero) {
  OneOperation quotient("y / x");
  EXPECT_EQ(quotient.distance(Kind::divide_by_zero, 0, 1), 0);
  EXPECT_GT(quotient.distance(Kind::divide_by_zero, 5e-324, 1), 0);
  EXPECT_LT(quotient.distance(Kind::divide_by_zero, 1e-9, 1), quotient.distance(Kind::divide_by_zero, 1, 1));
  EXPECT_GT(quotient.distance(Kind::divide_by_zero, 0, 0), 0) << "that is invalid";
  EXPECT_EQ(quotient.distance(Kind::invalid, 0, 0), 0);
}

TEST(ExceptionGoal, OperandsThatAreNotFiniteAreNoGoal) {
  OneOperation difference("x - y");
  EXPECT_EQ(difference.distance(Kind::invalid, std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::infinity()),
            std::numeric_limits<double>::infinity());
}

TEST(ExceptionGoal, ConversionsEndWhereTheirTypeDoes) {
  exec::Session session =
      test::open_text("double f(double x, double* y) { *y = x; return (int)x; }", ".c", "f", {.sizes = {{"y", {1}}}});
  const auto distance = [&](double x) {
    const tape::Tape tape(session.run({x, 0}), session.sites(), 2);
    for (uint32_t index = 1; index < tape.size(); ++index)
      if (ops::is_to_int(tape.site(index).op))
        return goal::distance({tape.record(index).site, Kind::invalid}, tape);
    return -1.0;
  };
  EXPECT_EQ(distance(2147483648.0), 0);
  EXPECT_GT(distance(2147483647.5), 0);
  EXPECT_GT(distance(-2147483648.5), 0);
  EXPECT_EQ(distance(-2147483649.0), 0);
}

// The list of triggers against the table's own judgement, over operands of all sizes: what raises an exception from
// finite operands has a distance of 0, and what has none raises none, except that an underflow may be exact.
class EveryOperation : public testing::TestWithParam<const char*> {};

TEST_P(EveryOperation, AgreesWithTheTable) {
  OneOperation operation(GetParam());
  numeric::Rng rng(7);
  const double telling[] = {0.0,  -0.0,  1.0,    -1.0,   0.5,    2.0,   -2.0,   3.0,
                            -3.5, 1e300, -1e300, 5e-324, 1e-310, 709.9, -746.0, 1e17};
  for (int i = 0; i < 4000; ++i) {
    const auto draw = [&] {
      if (rng.below(3) == 0)
        return telling[rng.below(std::size(telling))];
      const double limit = std::numeric_limits<double>::max();
      const auto low = numeric::ordered(-limit), high = numeric::ordered(limit);
      return numeric::from_ordered<double>(low + int64_t(rng.below(uint64_t(high) - uint64_t(low))));
    };
    const double x = draw(), y = draw();
    const tape::Tape tape = operation.tape(x, y);
    for (uint32_t index = 3; index < tape.size(); ++index) {
      const Kind raised = tape::exception_of(tape, index);
      const tape::Record& record = tape.record(index);
      bool finite = true;
      for (int operand = 0; operand < ops::arity(tape.site(index).op); ++operand)
        finite = finite && std::isfinite(tape.value(tape.operand(index, operand)));
      for (const Kind kind : ops::all_exceptions) {
        const auto conditions = triggers(tape.table().sites[record.site], kind);
        const bool holds = distance(conditions, tape, index) == 0;
        if (finite && raised == kind) {
          EXPECT_TRUE(holds) << GetParam() << " " << ops::name(kind) << " " << x << " " << y;
        }
        if (holds && kind != Kind::underflow) {
          EXPECT_EQ(ops::name(raised), ops::name(kind)) << GetParam() << " " << x << " " << y;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, EveryOperation,
    testing::Values("x + y", "x - y", "x * y", "x / y", "sqrt(x)", "fma(x, y, 1)", "(float)x", "exp(x)", "exp2(x)",
                    "expm1(x)", "log(x)", "log2(x)", "log10(x)", "log1p(x)", "pow(x, y)", "sin(x)", "tan(x)", "asin(x)",
                    "acos(x)", "atan(x)", "atan2(x, y)", "sinh(x)", "cosh(x)", "tanh(x)", "asinh(x)", "acosh(x)",
                    "atanh(x)", "erf(x)", "erfc(x)", "tgamma(x)", "lgamma(x)", "hypot(x, y)", "cbrt(x)", "fmod(x, y)",
                    "remainder(x, y)", "fdim(x, y)", "(double)(long)x", "(double)(unsigned)x", "j0(x)", "j1(x)",
                    "jn(3, x)", "y0(x)", "y1(x)", "yn(2, x)", "creal(cexp(__builtin_complex(x, y)))",
                    "cimag(cexp(__builtin_complex(x, y)))", "creal(clog(__builtin_complex(x, y)))",
                    "creal(csqrt(__builtin_complex(x, y)))", "cimag(csin(__builtin_complex(x, y)))",
                    "creal(ctan(__builtin_complex(x, y)))", "cimag(ctanh(__builtin_complex(x, y)))"));

} // namespace
} // namespace faultline::goal
