// What a session takes, tells and leaves behind.
#include "../session_fixture.h"

#include <csignal>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

namespace faultline::test {
namespace {

using exec::Outcome;

TEST(Session, TakesCodeThatFillsArraysFromACallThatMayThrow) {
  TemporaryFolder folder;
  std::string file = folder.write(
      "a.cpp", "#include <vector>\ndouble f(double x) { static std::vector<double> w(3, 2.0); return w[0] * x; }");
  EXPECT_EXIT(
      {
        exec::Session session = open_files({file}, "f");
        _exit(session.run({3}).outputs[0].value == 6 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(Session, RefusesAProgramWhoseStaticConstructorsCrash) {
  EXPECT_THROW(
      open_text(
          "#include <cstdlib>\nstatic struct S { S() { std::abort(); } } s;\ndouble f(double x) { return x + 1; }",
          ".cpp"),
      base::UserError);
}

TEST(Session, RefusesUnsupportedFormatsInTheCodeWithTheirLine) {
  try {
    open_text("double f(double x) {\n  __float128 y = x;\n  return (double)(y / 3 + y * x);\n}");
    FAIL() << "it is accepted";
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, base::status_unsuitable);
    EXPECT_NE(std::string(error.what()).find("128"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("subject.c:"), std::string::npos) << error.what();
  }
}

TEST(Session, SkipsTheCallsThatKilledAWorker) {
  TemporaryFolder folder;
  auto program = program::Program::load({{folder.write("subject.c", "double f(double x) { return x + 1; }")}, {}, ""});
  auto target = program.find({"f"}, {}).at(0);
  auto progress = std::make_unique<exec::CallInProgress>();
  exec::Session session(std::move(program), target, short_limits(), progress.get());
  session.skip({2});
  EXPECT_EQ(session.run({1}).outcome, Outcome::returned);
  EXPECT_EQ(session.run({2}).outcome, Outcome::killed);
  EXPECT_EQ(session.run({3}).outcome, Outcome::returned);
  EXPECT_EQ(progress->call, 3u);
  EXPECT_EQ(progress->running, 0u);
  EXPECT_EQ(progress->values[0], 3);
}

TEST(Session, TellsTheSupervisorWhichInputIsUnderWay) {
  TemporaryFolder folder;
  auto program =
      program::Program::load({{folder.write("subject.c", "#include <signal.h>\n#include <unistd.h>\ndouble f(double "
                                                         "x) { if (x > 10) kill(getpid(), SIGKILL); return x + 1; }")},
                              {},
                              ""});
  auto target = program.find({"f"}, {}).at(0);
  auto* progress =
      new (mmap(nullptr, sizeof(exec::CallInProgress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
          exec::CallInProgress;
  exec::Session session(std::move(program), target, short_limits(), progress);
  EXPECT_EXIT(session.run({11.5L}), testing::KilledBySignal(SIGKILL), "");
  EXPECT_EQ(progress->running, 1u);
  EXPECT_EQ(progress->inputs, 1u);
  EXPECT_EQ(progress->values[0], 11.5L);
  munmap(progress, sizeof(exec::CallInProgress));
}

TEST(Session, IntegerInputsOfAllWidthsArrive) {
  exec::Session session = open_text("double f(double x, signed char a, unsigned char b, short c, unsigned d, long e, "
                                    "_Bool g) { return x + a + b + c + d + (double)e + g; }");
  EXPECT_EQ(session.run({0.5L, -100, 200, -30000, 4e9L, -0x1p40L, 1}).outputs[0].value,
            0.5L - 100 + 200 - 30000 + 4e9L - 0x1p40L + 1);
}

TEST(Session, LargeStructsAndIntegersComeBack) {
  exec::Session session = open_text("struct t { double a; float b; long double c; int n; };\nint f(double x, struct t* "
                                    "r) { r->a = x; r->b = x * 2; r->c = x * 3; r->n = 7; return -5; }");
  exec::Run run = session.run({0.5L});
  std::map<std::string, long double> values;
  for (size_t i = 0; i < run.outputs.size(); ++i)
    values[session.target().outputs[i].name] = run.outputs[i].value;
  EXPECT_EQ(values.at("return"), -5);
  EXPECT_EQ(values.at("r.a"), 0.5L);
  EXPECT_EQ(values.at("r.b"), 1);
  EXPECT_EQ(values.at("r.c"), 1.5L);
}

TEST(Session, ItsTapeStaysUntilTheNextTapedRun) {
  exec::Session session = open_text("double f(double x) { return x / 3; }");
  const exec::Run run = session.run({1});
  EXPECT_TRUE(run.records.current());
  session.lift({2}, 128); // leaves the tape alone
  EXPECT_TRUE(run.records.current());
  EXPECT_EQ(run.records[run.outputs[0].record].result.d, 1.0 / 3);
  session.run({4});
  EXPECT_FALSE(run.records.current());
}

TEST(Session, ANativeRunHasNoRecordsAndEndsTheTape) {
  exec::Session session = open_text("double f(double x) { return x / 3; }");
  const exec::Run taped = session.run({1});
  const exec::Run native = session.run_native({2});
  EXPECT_EQ(native.records.size(), 1u);
  EXPECT_EQ(native.outputs[0].record, 0u);
  EXPECT_EQ(native.outputs[0].value, (long double)(2.0 / 3));
  EXPECT_FALSE(taped.records.current());
}

TEST(Session, ARunThatIsCutShortKeepsTheRecordsSoFar) {
  exec::Session session =
      open_text("double f(double x, int n) { for (int i = 0; i < n; i++) x = x / 3 + 1; return x; }");
  const exec::Run run = session.run_briefly({1, 100'000}, 256);
  EXPECT_EQ(run.outcome, Outcome::tape_full);
  EXPECT_LE(run.records.size(), 256u);
  EXPECT_GT(run.records.size(), 100u);
  EXPECT_EQ(session.run({1, 100'000}).outcome, Outcome::returned); // the limit was for one run
}

TEST(Session, InputsNeverOutgrowTheTape) {
  Options options;
  options.sizes = {{"a", {1000}}};
  exec::Session session = open_text("double f(const double* a) { double s = 0; for (int i = 0; i < 1000; i++) s += "
                                    "a[i]; return s; }",
                                    ".c", "f", options);
  EXPECT_EQ(session.run_briefly(exec::Input(1000, 1), 16).outcome, Outcome::tape_full);
  EXPECT_EQ(session.run(exec::Input(1000, 1)).outputs[0].value, 1000);
}

// Its code is compiled anew, better, after some million records (exec/target_code.cpp).
TEST(Session, StaysAsItIsWhenItIsUsedALot) {
  exec::Session session = open_text("#include <vector>\nstatic std::vector<double> steps(3, 0.5);\n"
                                    "double f(double x, int n) { steps.push_back(1); for (int i = 0; i < n; i++) x = x "
                                    "/ 3 + steps[i % 3]; return x + steps.size(); }",
                                    ".cpp");
  const exec::KeptRun kept(session.run({1, 500'000}));
  const exec::Run& first = *kept;
  ASSERT_EQ(first.outcome, Outcome::returned);
  const size_t records = first.records.size();
  EXPECT_GT(records, 1'000'000u);
  for (int i = 0; i < 12; ++i) {
    const exec::Run& again = session.run({1, 500'000});
    ASSERT_EQ(again.outcome, Outcome::returned);
    EXPECT_EQ(again.outputs[0].value, first.outputs[0].value);
    EXPECT_EQ(again.outputs[0].record, first.outputs[0].record);
    EXPECT_EQ(again.records.size(), records);
  }
  EXPECT_EQ(consistent_run(session, {1, 20}).outcome, Outcome::returned);
}

TEST(Session, OracleRunsShareAnAllowanceAndSearchesDoNot) {
  Options options;
  options.limits.oracle_operations = 1'000;
  exec::Session session = open_text(
      "double f(double x, int n) { for (int i = 0; i < n; i++) x = x / 3 + 1; return x; }", ".c", "f", options);
  EXPECT_EQ(session.lift({1, 300}, 128).outcome, Outcome::returned);
  EXPECT_EQ(session.lift({1, 300}, 128).outcome, Outcome::timed_out);
  EXPECT_EQ(session.lift({1, 300}, 128, exec::LiftedFor::search).outcome, Outcome::returned);
}

} // namespace
} // namespace faultline::test
