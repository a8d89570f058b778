// Hunts that cannot be, and references that misbehave.
#include "hunting_ground.h"

#include "base/error.h"

namespace faultline::hunt {

using model::OracleName;
using model::Progress;
using model::Report;
using model::TargetOutcome;
namespace {

struct Misuse {
  std::string name;
  std::function<void(Ground&)> commit;
  int status;
  std::string raw;
};
void PrintTo(const Misuse& misuse, std::ostream* stream) { *stream << misuse.name; }

class Misused : public testing::TestWithParam<Misuse> {};

TEST_P(Misused, HuntsSayWhatToTry) {
  Ground ground(three);
  GetParam().commit(ground);
  try {
    ground.hunt();
    FAIL() << "no error was thrown";
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, GetParam().status) << error.what();
    EXPECT_NE((error.what() + error.hint).find(GetParam().raw), std::string::npos) << error.what() << "\n"
                                                                                   << error.hint;
  }
  expect_no_child();
}

INSTANTIATE_TEST_SUITE_P(
    All, Misused,
    testing::Values(Misuse{"unknown_strategy", [](Ground& ground) { ground.options.settings.strategy = "luck"; }, 2,
                           "atomu"},
                    Misuse{"unknown_function", [](Ground& ground) { ground.options.functions = {"goood"}; }, 3, "good"},
                    Misuse{"unknown_input",
                           [](Ground& ground) {
                             ground.options.settings.ranges = {{"zz", {0, 1}}};
                           },
                           2, "zz"},
                    Misuse{"unknown_output", [](Ground& ground) { ground.options.settings.outputs = {"zz"}; }, 2, "zz"},
                    Misuse{"missing_file", [](Ground& ground) { ground.options.sources.files = {"/nowhere/a.c"}; }, 2,
                           "/nowhere/a.c"},
                    Misuse{"reference_for_many",
                           [](Ground& ground) { ground.options.settings.oracle = OracleName::reference; }, 2, "-f"},
                    Misuse{"missing_reference",
                           [](Ground& ground) {
                             ground.options.settings.oracle = OracleName::reference;
                             ground.options.functions = {"bad"};
                             ground.options.settings.reference_file = "/nowhere/r.c";
                             ground.options.settings.reference_function = "r";
                           },
                           2, "/nowhere/r.c"},
                    Misuse{"nothing_suitable",
                           [](Ground& ground) {
                             ground.options.sources.files = {
                                 ground.folder.write("none.c", "int f(int a) { return a; }")};
                           },
                           3, "harness"}),
    [](const auto& info) { return info.param.name; });

// A reference that misbehaves must not take the hunt with it.
struct Misbehaved {
  std::string name, text;
};
void PrintTo(const Misbehaved& reference, std::ostream* stream) { *stream << reference.name; }

class BadReference : public testing::TestWithParam<Misbehaved> {};

TEST_P(BadReference, EndsAsUnknown) {
  Ground ground("double f(double x) { return (x + 1e16) - 1e16; }");
  ground.options.settings.oracle = OracleName::reference;
  ground.options.settings.reference_file = ground.folder.write("reference.c", GetParam().text);
  ground.options.settings.reference_function = "reference";
  ground.options.settings.evaluations = 100;
  ground.options.settings.wanted.exceptions = false;
  ground.options.worker.silence_seconds = 0.3;
  std::atomic<bool> stop = false;
  Listener listener;
  listener.on_progress = [&](const Progress& progress) { stop = progress.seconds > 8; };
  ground.options.limits.call_seconds = 0.05;
  const Report report = hunt(ground.options, listener, stop);
  EXPECT_FALSE(stop) << "it did not end by itself";
  EXPECT_EQ(report.targets.at(0).outcome, TargetOutcome::unknown) << text(report.targets.at(0).outcome);
  EXPECT_FALSE(report.targets.at(0).note.empty());
  expect_no_child();
}

INSTANTIATE_TEST_SUITE_P(
    All, BadReference,
    testing::Values(Misbehaved{"crashes", "double reference(double x) { return *(volatile double*)8 + x; }"},
                    Misbehaved{"aborts", "#include <stdlib.h>\ndouble reference(double x) { abort(); }"},
                    Misbehaved{"exits", "#include <stdlib.h>\ndouble reference(double x) { exit(0); }"},
                    Misbehaved{"sleeps", "#include <unistd.h>\ndouble reference(double x) { for (;;) pause(); }"},
                    Misbehaved{"loops",
                               "double reference(double x) { volatile int n = 1; while (n) n = 1; return x; }"}),
    [](const auto& info) { return info.param.name; });

} // namespace
} // namespace faultline::hunt
