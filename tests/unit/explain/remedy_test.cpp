// A hint is offered only if it was tried out, and says what it does.
#include "remedying.h"

#include "explain/rewrite.h"
#include "numeric/bigfloat.h"

#include <cmath>

namespace faultline::test {
namespace {

TEST(Remedy, IsNotOfferedWhereNothingHelps) {
  // The input's own rounding is all that is left of it.
  exec::Session session = open_text("#include <math.h>\nlong double f(long double x) { return sinl(x * x); }");
  EXPECT_FALSE(remedy_for(session, {1.3e9L}));
}

TEST(Remedy, IsAWiderFormatWhereNoRuleFits) {
  exec::Session session = open_text("double f(double x) { double p = ((x - 3) * x + 3) * x; return p - 1; }");
  const auto remedy = remedy_for(session, {1.0001});
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->name, "long double");
}

// (x + m) - m rounds x, and x is another number: not where the constant is one that rounds (the pass knows the plain
// form, and the tape has an addition that is its own reference then), nor where what was cut off is put to use.
bool cancels(const std::string& text, const exec::Input& input) {
  exec::Session session = open_text("#include <math.h>\n" + text, ".c", "f");
  const tape::Tape tape = read(session, input);
  std::vector<long double> values(tape.size());
  for (uint32_t record = 1; record < tape.size(); ++record)
    values[record] = tape.exact(record);
  for (uint32_t record = 1; record < tape.size(); ++record)
    for (const explain::Rewrite& each : explain::rewrites_of(tape, record, values, {"x", "y"}))
      if (std::string_view(each.name) == "other order")
        return true;
  return false;
}

TEST(Remedy, NeverTakesAwayARoundingThatIsMeant) {
  const std::string tables = "struct { double shift, other; } tab = {0x1.8p52, 3e9};\n";
  EXPECT_FALSE(cancels(tables + "double f(double x) { return (x + tab.shift) - tab.shift; }", {1.3}));
  EXPECT_FALSE(
      cancels(tables + "double f(double x) { double k = x + tab.shift; k -= tab.shift; return x * 3 - k; }", {1.3}));
  EXPECT_FALSE(cancels("volatile double m = 0x1p45;\ndouble f(double x) { double s = m; return (x + s) - s; }", {1.3}));
  EXPECT_FALSE(
      cancels("double f(double x) { double c = 134217729 * x, d = c - x, high = c - d; return x - high; }", {1.3}))
      << "Veltkamp's splitting";
  EXPECT_FALSE(cancels("double f(double x, double y) { return (x - 0.37) - y; }", {1.3, 2}))
      << "x + -0.37: the constant is looked at as it stands on the tape";
  EXPECT_TRUE(cancels(tables + "double f(double x) { return (x + tab.other) - tab.other; }", {1.3}));
  EXPECT_TRUE(cancels("double f(double x, double y) { return (x + y) - y; }", {1.3, 0x1p52}));
}

TEST(Remedy, IsMeantForAllCopiesOfAnOperation) {
  exec::Session session = open_text("#include <math.h>\nstatic double g(double x) { return log(1 + x); }\n"
                                    "double f(double x, double y) { return g(x) * g(y); }");
  const tape::Tape tape = read(session, {1.1e-10, 1.3e-10});
  const uint32_t site = tape.record(find(tape, ops::Op::log)).site;
  EXPECT_EQ(explain::sites_beside(session.sites(), site).size(), 2u);
  const auto changed =
      explain::changed(tape, {explain::Means::rewrite, explain::sites_beside(session.sites(), site), "log1p"});
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->replaced, 2u);
  EXPECT_EQ(explain::output_of(tape, *changed, 0), std::log1p(1.1e-10) * std::log1p(1.3e-10));
}

TEST(Remedy, IsNotOfferedIfTheCodeWouldGoAnotherWay) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) {\n  double d = 1 - cos(x);\n  double r = d "
                                    "* 3;\n  if (d == 0)\n    r = d * 2;\n  return r;\n}");
  const auto remedy = remedy_for(session, {1e-9});
  EXPECT_TRUE(!remedy || remedy->name != "half-angle") << remedy->advice;
  exec::Session straight = open_text("#include <math.h>\ndouble f(double x) { return (1 - cos(x)) * 2; }");
  ASSERT_TRUE(remedy_for(straight, {1e-9}));
  EXPECT_EQ(remedy_for(straight, {1e-9})->name, "half-angle");
}

} // namespace
} // namespace faultline::test
