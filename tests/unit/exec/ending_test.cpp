// How runs end that do not return: what was thrown, the status of an exit, the place; and what the code refuses.
#include "../session_fixture.h"

#include <gtest/gtest.h>

namespace faultline::exec {
namespace {

using test::open_text;

const char* const throwing = R"(
#include <stdexcept>
#include <string>
struct Own : std::overflow_error { using overflow_error::overflow_error; };
struct Loud { virtual ~Loud() {} };
namespace ns { template <class T> struct Deep {}; }
struct Hostile : std::exception { const char* what() const noexcept override { return *(char**)8; } };
double f(double x) {
  if (x == 1) throw std::domain_error("below\n zero");
  if (x == 2) throw Own("mine");
  if (x == 3) throw std::runtime_error(std::string(1000, 'a'));
  if (x == 4) throw 42;
  if (x == 5) throw ns::Deep<Loud>();
  if (x == 6) throw Hostile();
  if (x == 7) throw std::out_of_range("");
  return x * x;
})";

void expect_thrown(Session& session, long double x, const Ending& ending, int line) {
  const exec::Run& run = session.run({x});
  EXPECT_EQ(run.outcome, Outcome::threw);
  EXPECT_EQ(run.ending.thrown, ending.thrown);
  EXPECT_EQ(run.ending.words, ending.words);
  EXPECT_EQ(run.ending.refuses, ending.refuses) << ending.thrown;
  ASSERT_TRUE(run.ended_at) << ending.thrown;
  EXPECT_EQ(run.ended_at->function, "throw");
  EXPECT_EQ(run.ended_at->place.line, line);
  EXPECT_EQ(run.ended_at->place.function, "f");
}

TEST(Endings, AnExceptionHasItsTypeItsWordsAndItsPlace) {
  Session session = open_text(throwing, ".cpp");
  for (int i = 0; i < 2; ++i) {
    expect_thrown(session, 1, {"std::domain_error", "below? zero", true}, 9);
    expect_thrown(session, 2, {"Own", "mine", true}, 10);
    expect_thrown(session, 3, {"std::runtime_error", std::string(longest_words, 'a') + "...", false}, 11);
    expect_thrown(session, 4, {"int", "", false}, 12);
    expect_thrown(session, 5, {"ns::Deep<Loud>", "", false}, 13);
    expect_thrown(session, 7, {"std::out_of_range", "", false}, 15);
    const exec::Run& returned = session.run({8});
    EXPECT_EQ(returned.outcome, Outcome::returned);
    EXPECT_EQ(returned.ending, Ending());
    EXPECT_FALSE(returned.ended_at);
  }
}

TEST(Endings, WordsThatCannotBeReadAreACrash) {
  Session session = open_text(throwing, ".cpp");
  EXPECT_EQ(session.run({6}).outcome, Outcome::segfault);
  expect_thrown(session, 4, {"int", "", false}, 12);
}

TEST(Endings, NativeRunsTellThemToo) {
  Session session = open_text(throwing, ".cpp");
  const exec::Run& run = session.run_native({1});
  EXPECT_EQ(run.ending.thrown, "std::domain_error");
  ASSERT_TRUE(run.ended_at);
  EXPECT_EQ(run.ended_at->place.line, 9);
}

TEST(Endings, AnExitHasItsStatusAndItsPlace) {
  Session session = open_text("#include <stdlib.h>\ndouble f(double x) {\n  if (x > 1)\n    exit(7);\n  return x;\n}");
  const exec::Run& run = session.run({2});
  EXPECT_EQ(run.outcome, Outcome::exited);
  EXPECT_EQ(run.ending, (Ending{"", "exit(7)", false}));
  ASSERT_TRUE(run.ended_at);
  EXPECT_EQ(run.ended_at->function, "exit");
  EXPECT_EQ(run.ended_at->place.line, 4);
}

TEST(Endings, AStopOfFortranHasItsCodeOrItsWords) {
  Session session =
      open_text("real(8) function f(x)\n  real(8), intent(in) :: x\n  f = x * 2\n  if (x == 1) stop\n"
                "  if (x == 2) stop 3\n  if (x == 3) error stop 4\n  if (x == 4) stop 'enough'\nend function\n",
                ".f90");
  const char* const words[] = {"STOP", "STOP 3", "ERROR STOP 4", "STOP enough"};
  for (int i = 0; i < 4; ++i) {
    const exec::Run& run = session.run({(long double)(i + 1)});
    EXPECT_EQ(run.outcome, Outcome::exited);
    EXPECT_EQ(run.ending.words, words[i]);
    ASSERT_TRUE(run.ended_at) << words[i];
    EXPECT_EQ(run.ended_at->place.line, i + 4);
  }
  EXPECT_EQ(session.run({9}).outcome, Outcome::returned);
}

// With the handlers that are known, and these.
Session open_rejecting(const std::string& text, const std::vector<std::string>& rejects,
                       const std::string& ending = ".c") {
  test::TemporaryFolder folder;
  program::Sources sources{{folder.write("subject" + ending, text)}, {}, ""};
  sources.rejects = rejects;
  program::Program program = program::Program::load(sources);
  const model::Target target = program.find({"f"}, {}).at(0);
  return Session(std::move(program), target, test::short_limits(), nullptr, {}, program::handlers_of(rejects));
}

void expect_refused(const exec::Run& run, const std::string& handler) {
  EXPECT_EQ(run.outcome, Outcome::returned);
  ASSERT_TRUE(run.refused_at) << handler;
  EXPECT_EQ(run.refused_at->function, handler);
}

void expect_refused(Session& session, const std::string& handler) {
  for (int i = 0; i < 2; ++i) {
    expect_refused(session.run({-1}), handler);
    expect_refused(session.run_native({-1}), handler);
    EXPECT_FALSE(session.run({1}).refused_at) << handler;
    EXPECT_FALSE(session.run_native({1}).refused_at) << handler;
  }
}

const std::string cephes = "double f(double x) { if (x < 0) { mtherr(\"f\", 1); return 0; } return x * x; }\n";

TEST(Refusals, AKnownHandlerThatIsDefined) {
  Session session = open_text("int mtherr(char* name, int code) { return code; }\n" + cephes);
  expect_refused(session, "mtherr");
}

TEST(Refusals, AKnownHandlerThatIsDefinedNowhere) {
  Session session = open_text("int mtherr(char* name, int code);\n" + cephes);
  expect_refused(session, "mtherr");
}

TEST(Refusals, AFunctionOfThatNameWithOtherParametersIsNone) {
  Session session =
      open_text("int mtherr(double x) { return 0; }\ndouble f(double x) { if (x < 0) mtherr(x); return x; }");
  EXPECT_FALSE(session.run({-1}).refused_at);
}

TEST(Refusals, NoneOfTheKnownOnes) {
  Session session = open_rejecting("int mtherr(char* name, int code) { return code; }\n" + cephes, {"none"});
  EXPECT_FALSE(session.run({-1}).refused_at);
}

TEST(Refusals, AHandlerThatIsNamed) {
  const std::string source = "void fail(void) {}\ndouble f(double x) { if (x < 0) fail(); return x * x; }";
  Session named = open_rejecting(source, {"fail"});
  expect_refused(named, "fail");
  Session unnamed = open_rejecting(source, {});
  EXPECT_FALSE(unnamed.run({-1}).refused_at);
}

TEST(Refusals, AHandlerOfCppThatIsInlined) {
  Session session = open_rejecting("namespace own { int failures; inline void fail(int code) { failures += code; } }\n"
                                   "double f(double x) { if (x < 0) own::fail(1); return x * x; }",
                                   {"own::fail"}, ".cpp");
  expect_refused(session, "own::fail");
}

TEST(Refusals, LapacksHandlerInFortran) {
  Session session = open_text("real(8) function f(x)\n  real(8), intent(in) :: x\n  integer :: info\n  f = x * x\n"
                              "  if (x < 0) then\n    info = 1\n    call xerbla('F', info)\n  end if\nend function\n",
                              ".f90");
  expect_refused(session, "xerbla");
}

TEST(Refusals, TheHandlerItselfCanBeHuntedIn) {
  Session session = open_rejecting("double f(double x) { return x * x; }", {"f"});
  EXPECT_FALSE(session.run({-1}).refused_at);
}

} // namespace
} // namespace faultline::exec
