// The fast look at a tape must not miss an exception that the slow one sees.
#include "reading.h"

#include "tape/exceptions.h"

namespace faultline::tape {
namespace {

std::vector<uint32_t> slow(const Tape& tape) {
  std::vector<uint32_t> all;
  for (const ExceptionEvent& event : exceptions(tape))
    all.push_back(event.record);
  return all;
}

std::vector<uint32_t> fast(const Tape& tape, const runtime::SiteTable& table) {
  std::vector<uint32_t> all;
  ExceptionScan(table).scan(tape, true, [&](uint32_t index) {
    if (exception_of(tape, index) != ops::Exception::none)
      all.push_back(index);
    return false;
  });
  return all;
}

void expect_same_on_extreme_inputs(const std::string& text) {
  exec::Session session = test::open_text("#include <math.h>\n" + text);
  const double extremes[] = {0, -0.0, 1, -1, 3e-324, 1e-310, 1e-200, 1e-40, 1e40, 1e200, -1e308, INFINITY, NAN, 1e10};
  size_t events = 0;
  for (const double x : extremes)
    for (const double y : extremes) {
      const Tape tape = test::read(session, {x, y});
      EXPECT_EQ(fast(tape, session.sites()), slow(tape)) << x << " " << y;
      events += slow(tape).size();
    }
  EXPECT_GT(events, 50u);
}

TEST(ExceptionScan, SeesAllExceptionsOfDoubles) {
  expect_same_on_extreme_inputs(
      "double f(double x, double y) { double p = x * y, q = x / y; return fma(p, q, sqrt(p - q)) + log(q) * 0.5; }");
}
TEST(ExceptionScan, SeesAllExceptionsOfFloats) {
  expect_same_on_extreme_inputs(
      "float f(double x, double y) { float a = (float)x, b = (float)y; return a * b - a / b + expf(a); }");
}
TEST(ExceptionScan, SeesAllExceptionsOfLongDoubles) {
  expect_same_on_extreme_inputs("long double f(double x, double y) { long double a = x, b = y; a *= a; a *= a; a *= a; "
                                "a *= a; b *= b; return a * b - a / b; }");
}
TEST(ExceptionScan, SeesConversionsThatDoNotFit) {
  expect_same_on_extreme_inputs("double f(double x, double y) { return (double)(int)x + (double)(short)y; }");
}

TEST(ExceptionScan, StopsWhereItIsToldToAndLeavesOutTinyResults) {
  exec::Session session =
      test::open_text("double f(double x) {\n  double a = x * x;\n  double b = a * x;\n  return b + a;\n}");
  const ExceptionScan scan(session.sites());
  const Tape tape = test::read(session, {1e-200});
  int seen = 0;
  EXPECT_TRUE(scan.scan(tape, true, [&](uint32_t) { return ++seen == 1; }));
  EXPECT_EQ(seen, 1);
  EXPECT_FALSE(scan.scan(tape, false, [](uint32_t) { return true; }));
}

} // namespace
} // namespace faultline::tape
