// No tape lies: every record holds what its operation makes of its operands, whatever tricks the program plays. Where
// data flow cannot be followed, a value is a leaf; it is never taken for another one.
#include "../session_fixture.h"

namespace faultline::test {
namespace {

class Example : public testing::TestWithParam<const char*> {};

// A handful of inputs for any number of cells.
std::vector<exec::Input> inputs_for(const model::Target& target) {
  const long double values[] = {0.7L, -3.25L, 1e8L, 1e-12L, 12.5L, -1e200L, 0, 3};
  std::vector<exec::Input> all;
  for (size_t shift = 0; shift < std::size(values); ++shift) {
    exec::Input input;
    for (size_t i = 0; i < target.inputs.size(); ++i)
      input.push_back(target.inputs[i].type.floating ? values[(shift + i * 3) % std::size(values)] : 4);
    all.push_back(input);
  }
  return all;
}

TEST_P(Example, HasTapesThatDoNotContradictThemselves) {
  std::vector<std::string> names;
  const model::Sizes sizes = {{"*", {4}}};
  for (const auto& target : program::Program::load({{example(GetParam())}, {}, ""}).targets(sizes))
    names.push_back(target.function);
  for (const std::string& name : names) // all of them can be hunted in
    EXPECT_NO_THROW(program::Program::load({{example(GetParam())}, {}, ""}).find({name}, sizes)) << name;
  ASSERT_FALSE(names.empty());
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    exec::Session session = open_files({example(GetParam())}, name, {.sizes = sizes});
    for (const exec::Input& input : inputs_for(session.target())) {
      exec::Run run = consistent_run(session, input);
      EXPECT_EQ(run.outcome, exec::Outcome::returned);
      EXPECT_GT(run.records.size(), session.target().inputs.size() + 1);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Example,
                         testing::Values("one_minus_cos.c", "loop8192.c", "summation.c", "averages.c", "foo_single.c",
                                         "quadratic.cpp", "heron.f90"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST(Degrading, InverseSquareRootByBitsIsAValueAndNoLie) {
  exec::Session session = open_text(R"(
    float f(float x) {
      union { float f; int i; } u = {x};
      u.i = 0x5f3759df - (u.i >> 1);
      return u.f * (1.5f - 0.5f * x * u.f * u.f);
    })");
  for (float x : {0.3f, 4.0f, 1e10f}) {
    exec::Run run = consistent_run(session, {x});
    union {
      float f;
      int i;
    } u = {x};
    u.i = 0x5f3759df - (u.i >> 1);
    expect_same(run.outputs[0].value, u.f * (1.5f - 0.5f * x * u.f * u.f));
  }
}

TEST(Degrading, ExponentSetThroughAnIntegerIsAValueAndNoLie) {
  exec::Session session = open_text(R"(
    #include <stdint.h>
    #include <string.h>
    __attribute__((noinline)) static void add(uint64_t* n) { *n += 1ull << 52; }
    double f(double x) { double y = x / 3; uint64_t n; memcpy(&n, &y, 8); add(&n); memcpy(&y, &n, 8); return y - x; })");
  exec::Run run = consistent_run(session, {0.7L});
  expect_same(run.outputs[0].value, 0.7 / 3 * 2 - 0.7);
  EXPECT_EQ(Tape(run, session.sites()).count(ops::Op::fsub) + Tape(run, session.sites()).count(ops::Op::fadd), 1);
}

TEST(Degrading, HalfOfADoubleReadAsAFloatIsNotTakenForTheDouble) {
  exec::Session session = open_text(R"(
    static volatile union { double d; float f[2]; } u;
    float f(double x) { u.d = x / 3; return u.f[0] * 2; })");
  exec::Run run = consistent_run(session, {0.7L});
  double third = 0.7 / 3;
  float low;
  std::memcpy(&low, &third, 4);
  expect_same(run.outputs[0].value, low * 2);
  EXPECT_FALSE(Tape(run, session.sites()).reaches_input(run.outputs[0].record, 0));
}

TEST(Degrading, TwoFloatsReadAsADoubleAreNotTakenForEitherFloat) {
  exec::Session session = open_text(R"(
    static volatile union { double d; float f[2]; } u;
    double f(float x) { u.f[0] = x / 3; u.f[1] = x / 7; return u.d * 2; })");
  exec::Run run = consistent_run(session, {0.75L});
  float halves[2] = {0.75f / 3, 0.75f / 7};
  double both;
  std::memcpy(&both, halves, 8);
  expect_same(run.outputs[0].value, both * 2);
}

TEST(Degrading, ValuesMovedByTheLibraryKeepTheirValue) {
  exec::Session session = open_text(R"(
    #include <stdlib.h>
    static int by_value(const void* a, const void* b) { double d = *(const double*)a - *(const double*)b; return d < 0 ? -1 : d > 0; }
    double f(double x, double y) { double a[3] = {x / 3, y / 7, x * y}; qsort(a, 3, sizeof *a, by_value); return a[0] / a[1]; })");
  exec::Run run = consistent_run(session, {7.1L, -0.75L});
  expect_same(run.outputs[0].value, 7.1 * -0.75 / (-0.75 / 7));
}

TEST(Degrading, VariableArgumentsKeepTheirValue) {
  exec::Session session = open_text(R"(
    #include <stdarg.h>
    __attribute__((noinline)) static double sum(int n, ...) { va_list l; va_start(l, n); double s = 0; while (n--) s += va_arg(l, double); va_end(l); return s; }
    double f(double x, double y) { return sum(2, x / 3, y / 7) * x; })");
  exec::Run run = consistent_run(session, {0.7L, 0.1L});
  expect_same(run.outputs[0].value, (0.7 / 3 + 0.1 / 7) * 0.7);
}

TEST(Degrading, FortranArrayConstructorsKeepTheirValue) {
  exec::Session session = open_text("real(8) function f(x, y)\nreal(8), intent(in) :: x, y\nreal(8) :: a(3)\na = (/ x "
                                    "/ 7, y, x * y /)\nf = a(1) - a(3)\nend function\n",
                                    ".f90");
  exec::Run run = consistent_run(session, {0.7L, 0.1L});
  expect_same(run.outputs[0].value, 0.7 / 7 - 0.7 * 0.1);
}

TEST(Tape, HoldsUnsignedIntegersAsTheyAre) {
  exec::Session session =
      open_text("double f(double x) { unsigned n = x; unsigned char c = x / 20000000; return (double)n + c; }");
  exec::Run run = consistent_run(session, {4e9L});
  expect_same(run.outputs[0].value, 4e9 + 200);
}

TEST(Tape, IsWhatRanAlsoUnderFastMath) {
  Options options;
  options.flags = {"-ffast-math"};
  exec::Session session = open_text(R"(
    void f(double x, double y, double z, double w, double* a, double* b, double* c) { *a = x / w; *b = y / w; *c = z / w; })",
                                    ".c", "f", options);
  consistent_run(session, {0.7L, 0.1L, 0.3L, 3});
}

TEST(Tape, FollowsIntegerPowers) {
  exec::Session session = open_text("double f(double x, int n) { return __builtin_powi(x, n); }");
  exec::Run run = session.run({3, 5});
  EXPECT_EQ(run.outcome, exec::Outcome::returned);
  expect_same(run.outputs[0].value, 243);
  EXPECT_TRUE(Tape(run, session.sites()).reaches_input(run.outputs[0].record, 0));
}

TEST(Tape, FollowsFortranPowersAndRemainders) {
  exec::Session session = open_text("real(8) function f(x, y, n)\nreal(8), intent(in) :: x, y\ninteger, intent(in) :: "
                                    "n\nf = x**n + mod(y, x) + y**x\nend function\n",
                                    ".f90");
  exec::Run run = session.run({3, 7.5L, 4});
  EXPECT_EQ(run.outcome, exec::Outcome::returned);
  expect_same(run.outputs[0].value, 81 + 1.5 + 7.5 * 7.5 * 7.5);
  EXPECT_TRUE(Tape(run, session.sites()).reaches_input(run.outputs[0].record, 1));
}

TEST(Tape, NamesFileAndLineOfTheUsersSource) {
  TemporaryFolder folder;
  std::string file = folder.write(
      "subject.c", "#include <math.h>\n\ndouble f(double x) {\n  double y = sin(x);\n  return y / x;\n}\n");
  exec::Session session = open_files({file}, "f");
  exec::Run run = session.run({0.7L});
  Tape tape(run, session.sites());
  int sine = 0, quotient = 0;
  for (uint32_t i = 1; i < run.records.size(); ++i) {
    if (ops::is_leaf(tape.site(i).op))
      continue;
    EXPECT_EQ(tape.site(i).file, file);
    EXPECT_EQ(tape.site(i).function, "f");
    sine += tape.site(i).op == ops::Op::sin ? tape.site(i).line : 0;
    quotient += tape.site(i).op == ops::Op::fdiv ? tape.site(i).line : 0;
  }
  EXPECT_EQ(sine, 4);
  EXPECT_EQ(quotient, 5);
}

TEST(Tape, IsTheSameForTheSameInput) {
  exec::Session session = open_files({example("loop8192.c")}, "f");
  exec::Run first = session.run({0.1L});
  std::vector<runtime::Record> kept(first.records.all().begin(), first.records.all().end());
  session.run({3});
  exec::Run again = session.run({0.1L});
  ASSERT_EQ(again.records.size(), kept.size());
  Tape tape(again, session.sites());
  for (uint32_t i = 1; i < kept.size(); ++i) {
    ASSERT_EQ(again.records[i].site, kept[i].site);
    ASSERT_EQ(again.records[i].result.f, kept[i].result.f);
  }
}

} // namespace
} // namespace faultline::test
