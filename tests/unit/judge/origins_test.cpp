// Outputs that code makes which is not instrumented: silence about them must not pass for accuracy.
#include "../tape/reading.h"

#include "judge/exceptions/observations.h"

namespace faultline::judge {
namespace {

using test::open_text;

struct Watched {
  explicit Watched(const std::string& text, const model::Sizes& sizes = {})
      : session(open_text("#include <math.h>\n#include <stdlib.h>\n" + text, ".c", "f", {.sizes = sizes})) {
    for (size_t i = 0; i < session.target().outputs.size(); ++i)
      if (session.target().outputs[i].type.floating)
        outputs.push_back(i);
  }

  // What is said after a search that ran this input.
  std::string note(const exec::Input& input) {
    Origins origins(session, outputs);
    const exec::Run run = session.run(input);
    EXPECT_EQ(run.outcome, exec::Outcome::returned);
    origins.watch(input, run, tape::Tape(run, session.sites(), input.size()));
    std::string note = origins.note();
    nothing_judged = origins.inconclusive();
    return note;
  }

  exec::Session session;
  std::vector<size_t> outputs;
  bool nothing_judged = false;
};

TEST(MadeElsewhere, ResultOfAForeignFunctionIsNamedWithIt) {
  Watched watched("double f(double x) { return scalb(x, 1); }");
  const std::string note = watched.note({0.5});
  EXPECT_NE(note.find("return is made by"), std::string::npos) << note;
  EXPECT_NE(note.find("(scalb)"), std::string::npos) << note;
  EXPECT_TRUE(watched.nothing_judged);
  EXPECT_EQ(made_elsewhere(watched.session, {0.5}, watched.outputs), note);
}

TEST(MadeElsewhere, IsToldBesideWhatIsComputedHere) {
  Watched watched("void f(double x, double* y, double* z) { *y = scalb(x, 1); *z = x * x + 1; }");
  const std::string note = watched.note({0.5});
  EXPECT_NE(note.find("y is made by"), std::string::npos) << note;
  EXPECT_EQ(note.find("z"), std::string::npos) << note;
  EXPECT_FALSE(watched.nothing_judged);
}

TEST(MadeElsewhere, IsFoundThroughMemory) {
  Watched watched(
      "void f(const double* x, double* y) { double* t = malloc(16); t[0] = scalb(x[0], 1); t[1] = scalb(x[1], 2); "
      "y[0] = t[1]; y[1] = t[0]; free(t); }",
      {{"x", {2}}, {"y", {2}}});
  EXPECT_NE(watched.note({0.5, 0.25}).find("y[0], y[1] are made by"), std::string::npos);
}

TEST(MadeElsewhere, FromRoundedValuesIsNotPassedOverInSilence) {
  Watched watched("double f(double x) { return 1 - scalb(x * 3, 1); }");
  Origins origins(watched.session, watched.outputs);
  for (int i = 0; i < 100; ++i) {
    const exec::Input input = {0.1 + i};
    const exec::Run run = watched.session.run(input);
    origins.watch(input, run, tape::Tape(run, watched.session.sites(), input.size()));
  }
  const std::string note = origins.note();
  EXPECT_NE(note.find("return depends on scalb"), std::string::npos) << note;
  EXPECT_TRUE(origins.inconclusive());
}

struct Fine {
  std::string name, text;
  exec::Input input = {0.5};
  model::Sizes sizes = {};
};
void PrintTo(const Fine& fine, std::ostream* stream) { *stream << fine.name; }
class MadeHere : public testing::TestWithParam<Fine> {};

TEST_P(MadeHere, IsNotDoubted) {
  Watched watched(GetParam().text, GetParam().sizes);
  EXPECT_EQ(watched.note(GetParam().input), "");
  EXPECT_FALSE(watched.nothing_judged);
  EXPECT_EQ(made_elsewhere(watched.session, GetParam().input, watched.outputs), "");
}

INSTANTIATE_TEST_SUITE_P(
    All, MadeHere,
    testing::Values(Fine{"constant", "double f(double x) { return scalb(x, 1) > 7 ? x * x : 3; }"},
                    Fine{"stored_constant", "void f(double x, double* y) { *y = 3; if (scalb(x, 1) > 7) *y = x * x; }"},
                    Fine{"copy", "void f(double x, double* y) { *y = x; if (scalb(x, 1) > 7) *y = 3; }"},
                    Fine{"computed_from_foreign", "double f(double x) { return 1 - scalb(x, 1); }"},
                    Fine{"operation_of_libm", "double f(double x) { int e; return frexp(sin(x), &e); }"},
                    Fine{"printed", "int printf(const char*, ...);\nstatic const double t[3] = {1.5, 2.5, 3.5};\n"
                                    "double f(double x) { printf(\"\"); return t[x > 2]; }"},
                    Fine{
                        "sorted_by_the_library",
                        "static int by(const void* a, const void* b) { double x = *(double*)a, y = *(double*)b; return "
                        "(x > y) - (x < y); }\nvoid f(double* x) { qsort(x, 3, 8, by); }",
                        {3, 1, 2},
                        {{"x", {3}}}}),
    [](const auto& info) { return info.param.name; });

} // namespace
} // namespace faultline::judge
