// Values that code which is not instrumented has a part in.
#include "judging.h"

namespace faultline::test {
namespace {

using oracle::Certainty;
using oracle::Judgement;

struct Passed {
  std::string name, text;
  exec::Input input;
  bool known;
};
void PrintTo(const Passed& passed, std::ostream* stream) { *stream << passed.name; }
class ThroughForeignCode : public testing::TestWithParam<Passed> {};

// scalb is not an operation: its result for rounded values is unknown.
TEST_P(ThroughForeignCode, RoundedValuesAreUnknownAndExactOnesAreNot) {
  exec::Session session = open_text("#include <math.h>\n#include <stdlib.h>\n" + GetParam().text);
  const Judgement judgement = lifted(session, GetParam().input);
  EXPECT_EQ(judgement.certainty, GetParam().known ? Certainty::known : Certainty::unknown) << judgement.why_unknown;
  if (!GetParam().known) {
    EXPECT_NE(judgement.why_unknown.find("return depends on "), std::string::npos) << judgement.why_unknown;
  }
}

constexpr const char* through_pointer = "static double (*volatile chosen)(double, double) = scalb;\n"
                                        "double f(double x) { return 1 + chosen(x * 3, 1); }";
constexpr const char* sorted =
    "static int order(const void* a, const void* b) {\n"
    "  return *(const double*)a < *(const double*)b ? -1 : 1; }\n"
    "double f(double x) { double v[3] = {x * 3, 0.25, 0.125}; qsort(v, 3, sizeof *v, order); "
    "return v[2] + 1; }";

INSTANTIATE_TEST_SUITE_P(
    All, ThroughForeignCode,
    testing::Values(Passed{"rounded", "double f(double x) { return 1 + scalb(x * 3, 1); }", {0.1}, false},
                    Passed{"exact", "double f(double x) { return 1 + scalb(x * 3, 1); }", {0.5}, true},
                    Passed{"long_ago",
                           "double f(double x) { double s = scalb(x / 3, 1); for (int i = 0; i < 9; ++i) s = sqrt(s); "
                           "return s; }",
                           {0.1},
                           false},
                    Passed{"beside", "double f(double x) { return scalb(x / 3, 1) > 1e9 ? 1 : x * x; }", {0.1}, true},
                    Passed{"through_a_pointer", through_pointer, {0.1}, false},
                    Passed{"exact_through_a_pointer", through_pointer, {0.5}, true},
                    Passed{"twice", "double f(double x) { return scalb(scalb(x / 3, 1) - 1, 1); }", {0.1}, false},
                    Passed{"sorted", sorted, {0.1}, false}, Passed{"exact_and_sorted", sorted, {0.5}, true}),
    [](const auto& info) { return info.param.name; });

} // namespace
} // namespace faultline::test
