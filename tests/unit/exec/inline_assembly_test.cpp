// Inline assembly that is an operation, and that is none.
#include "../session_fixture.h"

namespace faultline::test {
namespace {

using ops::Op;

struct Assembly {
  std::string name, text;
  Op op;
};
void PrintTo(const Assembly& assembly, std::ostream* stream) { *stream << assembly.name; }
class InlineAssembly : public testing::TestWithParam<Assembly> {};

TEST_P(InlineAssembly, ThatIsAnOperationIsFollowed) {
  exec::Session session = open_text(GetParam().text);
  const exec::Run run = consistent_run(session, {0.75});
  ASSERT_EQ(run.outcome, exec::Outcome::returned);
  const Tape tape(run, session.sites());
  EXPECT_EQ(tape.count(GetParam().op), 1);
  EXPECT_TRUE(tape.reaches_input(run.outputs[0].record, 0));
}

INSTANTIATE_TEST_SUITE_P(
    All, InlineAssembly,
    testing::Values(
        Assembly{"square_root", R"(double f(double x) { __asm__("sqrtsd %1, %0" : "=x"(x) : "x"(x)); return x - 1; })",
                 Op::sqrt},
        Assembly{"square_root_in_place",
                 R"(double f(double x) { __asm__ volatile("sqrtsd\t%0, %0" : "+x"(x)); return x - 1; })", Op::sqrt},
        Assembly{"square_root_of_a_float",
                 R"(float f(float x) { __asm__("sqrtss %1, %0" : "=x"(x) : "x"(x)); return x - 1; })", Op::sqrt},
        Assembly{"square_root_of_a_long_double",
                 R"(long double f(long double x) { __asm__("fsqrt" : "+t"(x)); return x - 1; })", Op::sqrt},
        Assembly{"magnitude", R"(double f(double x) { double t;
            __asm__("pcmpeqd %0, %0" : "=x"(t)); __asm__("psrlq   $1, %0" : "+x"(t));
            __asm__("andps   %1, %0" : "+x"(x) : "x"(t)); return x - 1; })",
                 Op::fabs},
        Assembly{"magnitude_of_a_float", R"(float f(float x) { float t;
            __asm__("pcmpeqd %0, %0" : "=x"(t)); __asm__("psrld   $1, %0" : "+x"(t));
            __asm__("andps   %1, %0" : "+x"(x) : "x"(t)); return x - 1; })",
                 Op::fabs}),
    [](const auto& info) { return info.param.name; });

TEST(InlineAssembly, WithoutTextPassesItsOperandsOn) {
  for (const char* text :
       {R"(double f(double x) { double y = x * 3; __asm__("" : "+g,x"(y)); return y - 1; })", // Eigen's
        R"(double f(double x) { double y = x * 3; __asm__ volatile("" : "+x"(y) : : "memory"); return y - 1; })",
        R"(double f(double x) { double y = x * 3; __asm__("" : "+m"(y)); return y - 1; })",
        R"(double f(double x) { double y = x * 3, z = 1; __asm__("" : "+x"(y), "+x"(z)); return y - z; })",
        R"(double f(double x) { double y = x * 3; __asm__ volatile("" : : "x"(y)); return y - 1; })",
        "typedef double pair __attribute__((vector_size(16)));\n"
        R"(double f(double x) { pair p = {x, x}; p *= 3; __asm__("" : "+g,x"(p)); return p[1] - 1; })"}) {
    exec::Session session = open_text(text);
    const exec::Run run = consistent_run(session, {0.75});
    EXPECT_EQ(run.outputs[0].value, 1.25) << text;
    const Tape tape(run, session.sites());
    EXPECT_TRUE(tape.reaches_input(run.outputs[0].record, 0)) << text;
    EXPECT_EQ(session.foreign(), std::vector<std::string>()) << text;
    const exec::LiftedRun lifted = session.lift({0.75}, 128);
    EXPECT_EQ(lifted.origins.at(0), exec::Origin::computed) << text;
    EXPECT_EQ(lifted.made_with.at(0), "") << text;
  }
}

TEST(InlineAssembly, ThatIsAnythingElseIsForeign) {
  for (const char* text :
       {R"(double f(double x) { __asm__("sqrtsd %1, %0\n\taddsd %0, %0" : "=x"(x) : "x"(x)); return x - 1; })",
        R"(double f(double x) { double t; __asm__("pcmpeqd %0, %0" : "=x"(t)); __asm__("psrlq $2, %0" : "+x"(t));
            __asm__("andps %1, %0" : "+x"(x) : "x"(t)); return x - 1; })"}) {
    exec::Session session = open_text(text);
    const exec::Run run = session.run({0.75});
    const Tape tape(run, session.sites());
    EXPECT_EQ(tape.count(Op::sqrt) + tape.count(Op::fabs), 0) << text;
  }
}

} // namespace
} // namespace faultline::test
