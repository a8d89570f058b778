// What a search shows on the way: the exceptions of few inputs, each in its best light.
#include "../tape/reading.h"

#include "judge/exceptions/observations.h"
#include "judge/space_of_target.h"

namespace faultline::judge {

using model::Settings;
using model::Status;
namespace {

using ops::Exception;
using test::open_text;

struct Watcher {
  explicit Watcher(const std::string& text, Settings given = {})
      : settings(std::move(given)), session(open_text("#include <math.h>\n#include <stdlib.h>\n" + text)),
        locations(session.sites()), reporting(session.target(), settings), space(space_of(session.target(), settings)),
        observations({false, true}, session.sites(), locations, reporting, space) {}
  Settings settings;
  exec::Session session;
  Locations locations;
  CallerNotice reporting;
  search::Space space;
  Observations observations;

  void watch(const exec::Input& input, const char* found_by = "sampling") {
    const exec::Run& run = session.run(input);
    observations.watch(input, run, tape::Tape(run, session.sites(), input.size()), found_by);
  }
  // The input that is chosen for the exception; empty if it was not seen.
  exec::Input chosen(Exception kind) const {
    for (const Suspect& suspect : observations.suspects())
      for (const ExceptionSite& suspicion : suspect.suspicions)
        if (suspicion.kind == kind)
          return suspect.input;
    return {};
  }
};

TEST(Observations, KeepTheFirstOfEqualInputsAndWhoFoundIt) {
  Watcher watcher("double f(double x) { return x * x; }");
  watcher.watch({2});
  EXPECT_TRUE(watcher.observations.suspects().empty());
  watcher.watch({1e200}, "descent");
  watcher.watch({1e201}, "real");
  const std::vector<Suspect> suspects = watcher.observations.suspects();
  ASSERT_EQ(suspects.size(), 1u);
  EXPECT_EQ(suspects[0].input, exec::Input{1e200});
  ASSERT_EQ(suspects[0].suspicions.size(), 1u);
  EXPECT_EQ(suspects[0].suspicions[0].found_by, "descent");
}

// 1/x and 1/y are equal for neighbours below 1, and exact arithmetic has a result there.
TEST(Observations, PreferAPoleThatIsOneOnlyByRounding) {
  const char* lens = "double f(double x, double y) { return 1 / (1 / x - 1 / y); }";
  const exec::Input equal = {0.75, 0.75}, rounded = {0x1.fffffffffffffp-1, 0x1.ffffffffffffep-1};
  for (const bool first : {false, true}) {
    Watcher watcher(lens);
    watcher.watch(first ? rounded : equal);
    watcher.watch(first ? equal : rounded);
    EXPECT_EQ(watcher.chosen(Exception::divide_by_zero), rounded);
  }
}

TEST(Observations, PreferARunThatReportsNothing) {
  Settings settings;
  settings.status = Status{"return", 0};
  Watcher watcher("int f(double x, double *r) { *r = x * x; return x > 0; }", settings);
  watcher.watch({1e200}, "sampling");
  EXPECT_EQ(watcher.chosen(Exception::overflow), exec::Input{1e200});
  watcher.watch({-1e200}, "descent");
  EXPECT_EQ(watcher.chosen(Exception::overflow), exec::Input{-1e200});
  EXPECT_EQ(watcher.observations.suspects()[0].suspicions[0].found_by, "sampling") << "the first to see it";
  watcher.watch({1e201});
  EXPECT_EQ(watcher.chosen(Exception::overflow), exec::Input{-1e200}) << "what is better stays";
}

TEST(Observations, PreferFiniteOperandsAndOutputsThatAreNumbers) {
  Watcher operands("double f(double x, double y) { return x * 1e10 - y; }");
  operands.watch({1e300, INFINITY});
  EXPECT_EQ(operands.chosen(Exception::overflow), (exec::Input{1e300, INFINITY}));
  operands.watch({1e300, 1});
  EXPECT_EQ(operands.chosen(Exception::overflow), (exec::Input{1e300, 1})) << "the output is no NaN";
  EXPECT_EQ(operands.chosen(Exception::invalid), (exec::Input{1e300, INFINITY}));
}

TEST(Observations, LookAtRunsThatEndThemselves) {
  Watcher watcher("double f(double x) { double r = 1 / x; if (r > 1e308) abort(); return r; }");
  watcher.watch({0});
  EXPECT_EQ(watcher.chosen(Exception::divide_by_zero), exec::Input{0});
  EXPECT_EQ(watcher.observations.crashes().count(exec::Outcome::aborted), 1u);
  watcher.watch({-0.0L});
  EXPECT_TRUE(std::signbit(watcher.chosen(Exception::divide_by_zero).at(0))) << "a run that returns is better";
}

TEST(Observations, KeepOneInputForEachPlaceThatEndsTheRun) {
  Watcher watcher("double f(double x) {\n  if (x > 100) exit(1);\n  if (x < -100) exit(1);\n  return x;\n}");
  for (const long double x : {200, 300, -200, -300, 1})
    watcher.watch({x});
  ASSERT_EQ(watcher.observations.endings().size(), 2u);
  EXPECT_EQ(watcher.observations.endings()[0].second, exec::Input{200});
  EXPECT_EQ(watcher.observations.endings()[1].second, exec::Input{-200});
  EXPECT_TRUE(watcher.observations.crashes().empty());
}

TEST(Observations, CountWhatIsRefusedAndKeepNoCrashOfIt) {
  Watcher watcher("int mtherr(char*, int);\n"
                  "double f(double x) { if (x < 0) { mtherr(\"f\", 1); abort(); } return 1 / x; }");
  watcher.watch({-1});
  watcher.watch({-2});
  watcher.watch({1});
  EXPECT_EQ(watcher.observations.refused(), (std::map<std::string, uint64_t>{{"mtherr", 2}}));
  EXPECT_TRUE(watcher.observations.crashes().empty());
}

TEST(Observations, CountCopiesOfALineOnce) {
  Watcher watcher("static double square(double x) { return x * x; }\n"
                  "double f(double x, double y) { return square(x) + square(y); }");
  watcher.watch({1e200, 1});
  watcher.watch({1, 1e200});
  const std::vector<Suspect> suspects = watcher.observations.suspects();
  ASSERT_EQ(suspects.size(), 1u);
  EXPECT_EQ(suspects[0].suspicions.size(), 1u);
}

TEST(Observations, ChooseFewInputsThatShowEverything) {
  Watcher watcher("double f(double x, double y) {\n  double p = x * x;\n  double q = y * y;\n  return p + q;\n}");
  watcher.watch({1e200, 1});
  watcher.watch({1, 1e200});
  watcher.watch({1e-200, 1e200});
  const std::vector<Suspect> suspects = watcher.observations.suspects();
  size_t all = 0;
  for (const Suspect& suspect : suspects)
    all += suspect.suspicions.size();
  EXPECT_EQ(all, 3u) << "two overflows and an underflow";
  ASSERT_EQ(suspects.size(), 2u);
  EXPECT_EQ(suspects[0].input, (exec::Input{1e-200, 1e200})) << "the one that shows most";
  EXPECT_EQ(suspects[1].input, (exec::Input{1e200, 1}));
}

TEST(Observations, OfNarrowConversionsNeedNoFlag) {
  Watcher watcher("unsigned char f(double x, double *y) { *y = x + 1; return (unsigned char)x; }");
  watcher.watch({300});
  EXPECT_EQ(watcher.chosen(Exception::invalid), exec::Input{300});
}

} // namespace
} // namespace faultline::judge
