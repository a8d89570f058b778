// Hostile code: however a call ends, the session knows how, goes on, and is right again. Where the code under test
// might take the whole process along, the test runs in a child.
#include "../session_fixture.h"

#include <cfenv>
#include <csignal>
#include <sys/mman.h>
#include <unistd.h>
#include <xmmintrin.h>

namespace faultline::test {
namespace {

using exec::Outcome;

struct Hostile {
  std::string file, function;
  Outcome outcome;
  long double trigger, harmless, result;
};
void PrintTo(const Hostile& hostile, std::ostream* stream) { *stream << hostile.function; }

class HostileExample : public testing::TestWithParam<Hostile> {};

TEST_P(HostileExample, IsAnOutcomeAndTheSessionGoesOn) {
  const Hostile& hostile = GetParam();
  exec::Session session = open_files({example("hostile/" + hostile.file)}, hostile.function);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(session.run({hostile.trigger}).outcome, hostile.outcome);
    exec::Run run = consistent_run(session, {hostile.harmless});
    EXPECT_EQ(run.outcome, Outcome::returned);
    EXPECT_EQ(run.outputs[0].value, hostile.result);
  }
}

TEST_P(HostileExample, IsAnOutcomeOfLiftedExecution) {
  const Hostile& hostile = GetParam();
  Options options;
  options.limits.lifted_seconds = 1;
  exec::Session session = open_files({example("hostile/" + hostile.file)}, hostile.function, options);
  if (hostile.outcome == Outcome::tape_full)
    return; // this loop ends in high precision
  EXPECT_EXIT(
      {
        exec::install_guard(); // timers are not inherited
        Outcome outcome = session.lift({hostile.trigger}, 128).outcome;
        exec::LiftedRun after = session.lift({hostile.harmless}, 128);
        std::fprintf(stderr, "%s\n", std::string(exec::text(outcome)).c_str());
        _exit(after.outcome == Outcome::returned && after.outputs.at(0).to_long_double() == hostile.result ? 0 : 1);
      },
      testing::ExitedWithCode(0), std::string(exec::text(hostile.outcome)));
}

INSTANTIATE_TEST_SUITE_P(
    Hostile, HostileExample,
    testing::Values(Hostile{"abort.c", "aborts", Outcome::aborted, 11, 3, 10},
                    Hostile{"exit.c", "exits", Outcome::exited, 11, 3, 10},
                    Hostile{"segfault.c", "segfaults", Outcome::segfault, 11, 3, 10},
                    Hostile{"stack_overflow.c", "overflows_stack", Outcome::stack_overflow, 11, 3, 10},
                    Hostile{"loop_forever.c", "loops_forever", Outcome::tape_full, 100, 0, 0},
                    Hostile{"allocate_forever.c", "allocates_forever", Outcome::out_of_memory, 11, 3, 10}),
    [](const auto& info) { return info.param.function; });

TEST(Hostile, StateIsGoneBeforeTheNextCall) {
  exec::Session session = open_files({example("hostile/state.c")}, "keeps_state");
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(session.run({3}).outputs[0].value, 10);
    EXPECT_EQ(session.lift({3}, 128).outputs.at(0).to_double(), 10);
  }
}

TEST(Hostile, RoundingModeIsPutBack) {
  exec::Session session = open_files({example("hostile/rounding_mode.c")}, "changes_rounding_mode");
  session.run({0.1L});
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  volatile double one = 1, three = 3;
  EXPECT_EQ(one / three, 0x1.5555555555555p-2);
  EXPECT_EQ((long double)one / three, 0x1.5555555555555556p-2L); // nearest: ...5555|0101
  session.lift({0.1L}, 128);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

struct Ending {
  std::string name, ending, source; // for x > 10
  Outcome outcome;
};
void PrintTo(const Ending& ending, std::ostream* stream) { *stream << ending.name; }

class BadEnding : public testing::TestWithParam<Ending> {};

TEST_P(BadEnding, IsAnOutcomeAndTheSessionGoesOn) {
  exec::Session session = open_text(GetParam().source, GetParam().ending);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(session.run({11}).outcome, GetParam().outcome);
    exec::Run run = consistent_run(session, {3});
    ASSERT_EQ(run.outcome, Outcome::returned);
    ASSERT_EQ(run.outputs[0].value, 10);
    if (GetParam().outcome == Outcome::timed_out)
      break;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BadEnding,
    testing::Values(
        Ending{"exception", ".cpp",
               "#include <stdexcept>\ndouble f(double x) { if (x > 10) throw std::runtime_error(\"no\"); return x * x "
               "+ 1; }",
               Outcome::threw},
        Ending{"exception_through_frames", ".cpp",
               "struct S { ~S() { count++; } static int count; }; int S::count;\n__attribute__((noinline)) static "
               "double g(double x) { S s; if (x > 10) throw 1; return x; }\n"
               "double f(double x) { S s; return g(x) * x + 1; }",
               Outcome::threw},
        Ending{"exception_out_of_noexcept", ".cpp",
               "double f(double x) noexcept { if (x > 10) throw 1; return x * x + 1; }", Outcome::aborted},
        Ending{"failed_assertion", ".c",
               "#include <assert.h>\ndouble f(double x) { assert(x < 10); return x * x + 1; }", Outcome::aborted},
        Ending{"integer_division_by_zero", ".c",
               "double f(double x) { volatile int zero = x <= 10, seven = 7; return x * x - 6 + seven / zero; }",
               Outcome::arithmetic_trap},
        Ending{"trap_instruction", ".c", "double f(double x) { if (x > 10) __builtin_trap(); return x * x + 1; }",
               Outcome::illegal_instruction},
        Ending{"raised_signal", ".c",
               "#include <signal.h>\ndouble f(double x) { if (x > 10) raise(SIGABRT); return x * x + 1; }",
               Outcome::aborted},
        Ending{"trapping_floats", ".c",
               "#define _GNU_SOURCE\n#include <fenv.h>\ndouble f(double x) { volatile double zero = 0; if (x > 10) { "
               "feenableexcept(FE_DIVBYZERO); return x / zero; } return x * x + 1; }",
               Outcome::arithmetic_trap},
        Ending{"write_to_a_constant", ".c",
               "static const char text[] = \"text\";\nstatic char* volatile p = (char*)text;\ndouble f(double x) { if "
               "(x > 10) *p = 1; return x * x + 1; }",
               Outcome::segfault},
        Ending{"jump_to_nowhere", ".c",
               "static double (*volatile g)(double) = (void*)16;\ndouble f(double x) { if (x > 10) return g(x); return "
               "x * x + 1; }",
               Outcome::segfault},
        Ending{"fault_amid_long_doubles", ".c",
               "static long double* volatile p;\nlong double f(long double x) { return x > 10 ? (x * x + 1) * (*p + x "
               "* (x + *p)) : x * x + 1; }",
               Outcome::segfault},
        Ending{"endless_integer_loop", ".c",
               "static volatile int n;\ndouble f(double x) { while (x > 10) n++; return x * x + 1; }",
               Outcome::timed_out},
        Ending{"allocation_of_everything", ".cpp",
               "static double* volatile a;\ndouble f(double x) { a = new double[x > 10 ? 1ul << 40 : 1]; a[0] = x; "
               "return a[0] * x + 1; }",
               Outcome::out_of_memory},
        Ending{"more_than_a_tape_holds", ".c",
               "double f(double x) { double s = x; if (x > 10) for (int i = 0; i < 5000000; i++) s += x; return s * x "
               "+ 1; }",
               Outcome::tape_full}),
    [](const auto& info) { return info.param.name; });

TEST(State, OnTheHeapIsGoneBeforeTheNextCall) {
  exec::Session session = open_text(R"(
    #include <stdlib.h>
    static double* cache;
    double f(double x) { if (!cache) cache = calloc(4, sizeof *cache); cache[1] += x; return cache[1]; })");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(session.run({3}).outputs[0].value, 3);
    EXPECT_EQ(session.lift({3}, 128).outputs.at(0).to_double(), 3);
  }
}

TEST(State, UninitialisedHeapMemoryIsTheSameInEveryCall) {
  exec::Session session = open_text(R"(
    #include <stdlib.h>
    double f(double x) { volatile double* a = malloc(800); double old = a[5]; a[5] = x; free((void*)a); a = malloc(800); old += a[5]; a[5] = x; return old + x; })");
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(session.run({3}).outputs[0].value, 3);
}

TEST(State, RandomNumbersAreTheSameInEveryCall) {
  exec::Session session = open_text("#include <stdlib.h>\ndouble f(double x) { return x + rand() + drand48(); }");
  long double first = session.run({3}).outputs[0].value;
  EXPECT_EQ(session.run({3}).outputs[0].value, first);
  EXPECT_EQ(session.lift({3}, 128).outputs.at(0).to_double(), first);
}

TEST(State, OfStaticConstructorsIsThereInEveryCall) {
  exec::Session session = open_text(R"(
    #include <cmath>
    #include <vector>
    struct Table { std::vector<double> values; Table() { for (int i = 0; i < 100; i++) values.push_back(std::sqrt(double(i))); } };
    static Table table;
    static double scale = std::exp(1.0);
    double f(double x) { return table.values[16] * x + scale * 0; })",
                                    ".cpp");
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(consistent_run(session, {3}).outputs[0].value, 12);
  EXPECT_EXIT(_exit(session.lift({3}, 128).outputs.at(0).to_double() == 12 ? 0 : 1), testing::ExitedWithCode(0), "");
}

TEST(State, OfStaticConstructorsOnTheHeapIsPutBack) {
  exec::Session session = open_text(R"(
    #include <vector>
    static std::vector<double> sums(4, 0.0);
    double f(double x) { sums[1] += x; return sums[1]; })",
                                    ".cpp");
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(session.run({3}).outputs[0].value, 3);
}

TEST(State, OfAGrowingStaticVectorIsPutBack) {
  exec::Session session = open_text(R"(
    #include <vector>
    static std::vector<double> kept(1, 5.0);
    double f(double x) { kept.push_back(x); kept.push_back(x); return kept[0] * x; })",
                                    ".cpp");
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(session.run({3}).outputs[0].value, 15);
}

TEST(State, LocalStaticsAreInitialisedInEveryCall) {
  exec::Session session = open_text(R"(
    #include <string>
    double f(double x) { static std::string* text = new std::string(100, 'a'); static double first = x; *text += "b"; return first + text->size(); })",
                                    ".cpp");
  EXPECT_EQ(session.run({3}).outputs[0].value, 104);
  EXPECT_EQ(session.run({5}).outputs[0].value, 106);
}

TEST(State, DestructorsOfStaticObjectsDoNotRunIntoFreedCode) {
  TemporaryFolder folder;
  std::string file = folder.write("a.cpp", "struct S { double d; S() : d(2) {} ~S() { d = 0; } };\nstatic S s;\ndouble "
                                           "f(double x) { static S t; return s.d * t.d * x; }");
  EXPECT_EXIT(
      {
        {
          exec::Session session = open_files({file}, "f");
          if (session.run({3}).outputs[0].value != 12)
            _exit(1);
        }
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
}

struct Raising {
  std::string name, expression;
  long double x, y;
  uint32_t flags; // of overflow, invalid, divide by zero and underflow
};
void PrintTo(const Raising& raising, std::ostream* stream) { *stream << raising.name; }

class Flags : public testing::TestWithParam<Raising> {};

TEST_P(Flags, AreReportedForTheCallThatRaisedThem) {
  exec::Session session =
      open_text("#include <math.h>\ndouble f(double x, double y) { return " + GetParam().expression + "; }");
  constexpr uint32_t told = _MM_EXCEPT_INVALID | _MM_EXCEPT_DIV_ZERO | _MM_EXCEPT_OVERFLOW | _MM_EXCEPT_UNDERFLOW;
  EXPECT_EQ(session.run({GetParam().x, GetParam().y}).flags & told, GetParam().flags);
  EXPECT_EQ(session.run({1, 1}).flags & told, 0u);
}

TEST_P(Flags, DoNotLeakIntoOurOwn) {
  exec::Session session =
      open_text("#include <math.h>\ndouble f(double x, double y) { return " + GetParam().expression + "; }");
  std::feclearexcept(FE_ALL_EXCEPT);
  session.run({GetParam().x, GetParam().y});
  EXPECT_EQ(std::fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW), 0);
}

INSTANTIATE_TEST_SUITE_P(Raised, Flags,
                         testing::Values(Raising{"overflow", "x * y", 1e200L, 1e200L, _MM_EXCEPT_OVERFLOW},
                                         Raising{"underflow", "x * y", 1e-200L, 1e-200L, _MM_EXCEPT_UNDERFLOW},
                                         Raising{"divide_by_zero", "x / y", 1, 0, _MM_EXCEPT_DIV_ZERO},
                                         Raising{"invalid", "x / y", 0, 0, _MM_EXCEPT_INVALID},
                                         Raising{"square_root", "sqrt(x) + y", -1, 0, _MM_EXCEPT_INVALID},
                                         Raising{"logarithm", "log(x) + y", 0, 0, _MM_EXCEPT_DIV_ZERO},
                                         Raising{"none", "x + y", 1, 2, 0}),
                         [](const auto& info) { return info.param.name; });

} // namespace
} // namespace faultline::test
