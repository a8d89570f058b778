// The class of a fault: what happened at the line.
#include "../tape/reading.h"

#include "explain/fault.h"

namespace faultline::test {
namespace {

using explain::Fault;

struct Faulty {
  std::string name, text;
  exec::Input input;
  Fault fault = Fault::unclassified;
  int cancelled = 0;
  model::Sizes sizes = {};
};
void PrintTo(const Faulty& code, std::ostream* stream) { *stream << code.name; }

class Classes : public testing::TestWithParam<Faulty> {};

TEST_P(Classes, AreRight) {
  exec::Session session = open_text(GetParam().text, ".c", "f", {.sizes = GetParam().sizes});
  const tape::Tape tape = read(session, GetParam().input);
  const tape::Replay exact = tape::replay(tape, 1024);
  const std::vector<explain::Link> way = explain::chain(tape, output_record(tape), exact);
  ASSERT_FALSE(way.empty());
  const explain::Blame blame = explain::find_cause(tape, way, exact);
  const explain::Classification classified = explain::classify(tape, way, blame, exact);
  EXPECT_EQ(ops::text(classified.fault), ops::text(GetParam().fault))
      << "blamed: " << ops::name(tape.site(blame.record).op) << " in line " << tape.site(blame.record).line;
  if (GetParam().cancelled > 0)
    EXPECT_EQ(classified.cancelled, GetParam().cancelled);
  EXPECT_EQ(classified.absorber != 0, GetParam().fault == Fault::absorption);
}

INSTANTIATE_TEST_SUITE_P(
    All, Classes,
    testing::Values(
        Faulty{"cancellation",
               "#include <math.h>\ndouble f(double x) { return 1 - cos(x); }",
               {1e-7},
               Fault::cancellation,
               48},
        Faulty{"total_cancellation",
               "#include <math.h>\ndouble f(double x) { return 1 - cos(x); }",
               {1e-9},
               Fault::cancellation,
               53},
        Faulty{"absorption", "double f(double x) { double s = x + 1e16; return s - 1e16; }", {0.3}, Fault::absorption},
        Faulty{"a_root_between_is_no_absorption",
               "#include <math.h>\ndouble f(double x) { return sqrt(x + 1) - sqrt(x); }",
               {1e17},
               Fault::cancellation},
        Faulty{"logarithm_near_1",
               "#include <math.h>\ndouble f(double x) { return log(1 + x); }",
               {1.3e-10},
               Fault::sensitive_argument},
        Faulty{"arc_cosine_near_1",
               "#include <math.h>\ndouble f(double x) { return acos(x * x); }",
               {0.99999999},
               Fault::sensitive_argument},
        Faulty{"sine_of_a_large_number",
               "#include <math.h>\ndouble f(double x) { return sin(x * x); }",
               {1.3e7 + 0.1},
               Fault::large_argument},
        Faulty{"sine_near_its_zero",
               "#include <math.h>\ndouble f(double x) { return sin(x * 0.1); }",
               {31.415926535897932},
               Fault::sensitive_argument},
        Faulty{"remainder",
               "#include <math.h>\ndouble f(double x) { return fmod(x * 0.1, 1.5); }",
               {1.3e15},
               Fault::large_argument},
        Faulty{"floor_beside_an_integer",
               "#include <math.h>\ndouble f(double x) { return floor(x * 10); }",
               {0.3},
               Fault::branch_flip},
        Faulty{"overflow", "double f(double x) { return x / (x * x); }", {1e200}, Fault::intermediate_overflow},
        Faulty{"underflow",
               "#include <math.h>\ndouble f(double x) { return sqrt(x * x); }",
               {1e-170},
               Fault::intermediate_underflow},
        Faulty{"accumulation",
               "float f(float x) { float s = 0; for (int i = 0; i < 20000; i++) s += x; return s; }",
               {1.7f},
               Fault::accumulated_rounding},
        Faulty{"absorbed_again_and_again",
               "float f(float x) { float s = 1; for (int i = 0; i < 3000; i++) s += x; return s; }",
               {4e-8f},
               Fault::absorption}),
    [](const auto& info) { return info.param.name; });

TEST(FaultNames, ReadBack) {
  EXPECT_EQ(ops::fault_of("cancellation"), Fault::cancellation);
  EXPECT_EQ(ops::fault_of("intermediate-underflow"), Fault::intermediate_underflow);
  EXPECT_FALSE(ops::fault_of("bad luck"));
  EXPECT_EQ(ops::headline(Fault::large_argument), "large-argument reduction");
}

} // namespace
} // namespace faultline::test
