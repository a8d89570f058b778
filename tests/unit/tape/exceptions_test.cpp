// Exceptions stand where they arise: not where an infinity is passed on, and not where a zero is the right answer.
#include "reading.h"

#include "tape/exceptions.h"

namespace faultline::test {
namespace {

using ops::Exception;
using ops::Op;

struct Raised {
  std::string name, body; // of double f(double x, double y)
  exec::Input input;
  std::vector<std::pair<Exception, Op>> events;
  std::string type = "double";
};
void PrintTo(const Raised& raised, std::ostream* stream) { *stream << raised.name; }

class Exceptions : public testing::TestWithParam<Raised> {};

TEST_P(Exceptions, StandWhereTheyArise) {
  const std::string& type = GetParam().type;
  exec::Session session =
      open_text("#include <math.h>\n" + type + " f(" + type + " x, " + type + " y) { " + GetParam().body + " }");
  tape::Tape tape = read(session, GetParam().input);
  std::vector<std::pair<Exception, Op>> found;
  for (const tape::ExceptionEvent& event : tape::exceptions(tape)) {
    EXPECT_TRUE(tape::may_be_exceptional(tape, event.record));
    EXPECT_EQ(tape::exception_of(tape, event.record), event.kind);
    found.emplace_back(event.kind, tape.site(event.record).op);
  }
  auto text = [](const auto& events) {
    std::string all;
    for (const auto& [kind, op] : events)
      all += fmt::format("{} at {}; ", ops::name(kind), ops::name(op));
    return all;
  };
  EXPECT_EQ(text(found), text(GetParam().events));
}

using Events = std::vector<std::pair<Exception, Op>>;

INSTANTIATE_TEST_SUITE_P(
    All, Exceptions,
    testing::Values(
        Raised{"overflow_once_and_then_passed_on",
               "double a = x * y; return (a + x) / y;",
               {1e200, 1e200},
               {{Exception::overflow, Op::fmul}}},
        Raised{"overflow_of_a_sum", "return x + y;", {1.7e308, 1.7e308}, {{Exception::overflow, Op::fadd}}},
        Raised{"overflow_of_a_function", "return exp(x) * y;", {1000, 2}, {{Exception::overflow, Op::exp}}},
        Raised{"overflow_of_a_conversion", "return (float)x + y;", {1e200, 1}, {{Exception::overflow, Op::fptrunc}}},
        Raised{"underflow_of_a_product", "return x * y;", {1e-200, 1e-200}, {{Exception::underflow, Op::fmul}}},
        Raised{"underflow_to_a_subnormal", "return x / y;", {1e-300, 3e10}, {{Exception::underflow, Op::fdiv}}},
        Raised{"underflow_of_a_function", "return exp(x) + y;", {-800, 1}, {{Exception::underflow, Op::exp}}},
        Raised{"exact_subnormal_is_harmless", "return x * y;", {0x1p-1000L, 0x1p-60L}, {}},
        Raised{"exact_zero_of_a_difference_is_harmless", "return x - y;", {0.3, 0.3}, {}},
        Raised{"zero_times_anything_is_harmless", "return x * y + sin(x) + x / y;", {0, 3}, {}},
        Raised{"subnormal_difference_is_exact", "return x - y;", {0x1.8p-1022L, 0x1p-1022L}, {}},
        Raised{"subnormal_input_is_the_users", "return x + y * 0;", {0x1p-1050L, 1}, {}},
        Raised{"invalid_zero_by_zero", "double q = x / y; return q * 2 + 1;", {0, 0}, {{Exception::invalid, Op::fdiv}}},
        Raised{"invalid_square_root", "double q = sqrt(x); return q + y;", {-2, 1}, {{Exception::invalid, Op::sqrt}}},
        Raised{"invalid_logarithm", "return log(x) + y;", {-2, 1}, {{Exception::invalid, Op::log}}},
        Raised{"invalid_difference_of_infinities",
               "double a = x * x, b = y * y; return a - b;",
               {1e200, 1e200},
               {{Exception::overflow, Op::fmul}, {Exception::overflow, Op::fmul}, {Exception::invalid, Op::fsub}}},
        Raised{"nan_input_is_the_users", "return sqrt(x) + y * x;", {std::nanl(""), 1}, {}},
        Raised{
            "infinite_input_is_the_users", "return x * 2 + y;", {std::numeric_limits<long double>::infinity(), 1}, {}},
        Raised{
            "division_by_zero", "double q = x / y; return 1 / q + q;", {3, 0}, {{Exception::divide_by_zero, Op::fdiv}}},
        Raised{"pole_of_the_logarithm", "return log(x) * y;", {0, 2}, {{Exception::divide_by_zero, Op::log}}},
        Raised{"pole_of_a_power", "return pow(x, y);", {0, -3}, {{Exception::divide_by_zero, Op::pow}}},
        Raised{"integer_out_of_range", "return (double)(long)x + y;", {1e30, 1}, {{Exception::invalid, Op::to_int}}},
        Raised{"nan_to_an_integer",
               "return (double)(long)(x / y);",
               {0, 0},
               {{Exception::invalid, Op::fdiv}, {Exception::invalid, Op::to_int}}},
        Raised{"smallest_integer_is_in_range", "return (double)(long)x + y;", {-0x1p63L, 1}, {}},
        Raised{"unsigned_integer_is_in_range", "return (double)(unsigned long)x + y;", {0x1p63L, 1}, {}},
        Raised{"negative_integer_of_thirty_two_bits_is_in_range", "return (double)(int)x + y;", {-0x1p31L, 1}, {}},
        Raised{"overflow_of_a_float", "return x * y;", {1e30f, 1e30f}, {{Exception::overflow, Op::fmul}}, "float"},
        Raised{"underflow_of_a_float", "return x * y;", {1e-30f, 1e-30f}, {{Exception::underflow, Op::fmul}}, "float"},
        Raised{"no_overflow_of_a_long_double", "return x * y;", {1e300L, 1e300L}, {}, "long double"},
        Raised{"overflow_of_a_long_double",
               "return x * y;",
               {1e4900L, 1e4900L},
               {{Exception::overflow, Op::fmul}},
               "long double"},
        Raised{"underflow_of_a_long_double",
               "return x * y;",
               {1e-4900L, 1e-4900L},
               {{Exception::underflow, Op::fmul}},
               "long double"},
        Raised{"nothing", "return x * y + x / y - sqrt(x);", {2, 3}, {}}),
    [](const auto& info) { return info.param.name; });

TEST(Exceptions, OfAnIntegerOfThirtyTwoBitsIsInvalid) {
  exec::Session session = open_text("double f(double x) { return (double)(int)x + x; }");
  tape::Tape tape = read(session, {1e10});
  const std::vector<tape::ExceptionEvent> events = tape::exceptions(tape);
  ASSERT_EQ(events.size(), 1u) << "x86 answers -2147483648 and raises the flag";
  EXPECT_EQ(events[0].kind, Exception::invalid);
}

TEST(Exceptions, ComeInTheOrderOfTheRun) {
  exec::Session session = open_text("double f(double x) { volatile double a = x * x; volatile double b = 1 / a; "
                                    "volatile double z = b * 0; return x / z; }");
  tape::Tape tape = read(session, {1e200});
  const std::vector<tape::ExceptionEvent> events = tape::exceptions(tape);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, Exception::overflow);
  EXPECT_EQ(events[1].kind, Exception::divide_by_zero);
  EXPECT_LT(events[0].record, events[1].record);
}

TEST(UsedRecords, AreThoseBehindOutputsAndDecisions) {
  exec::Session session = open_text("double f(double x, double y) { volatile double unused = x / y; double decides = x "
                                    "+ y, made = x * y; if (decides > 0) return made; return -made; }");
  tape::Tape tape = read(session, {2, 3});
  const std::vector<bool> used = tape::used_records(tape);
  ASSERT_EQ(used.size(), tape.size());
  EXPECT_FALSE(used[find(tape, Op::fdiv)]);
  for (Op op : {Op::fadd, Op::cmp_ogt, Op::fmul})
    EXPECT_TRUE(used[find(tape, op)]) << ops::name(op);
  EXPECT_TRUE(used[1] && used[2]) << "the inputs";
}

} // namespace
} // namespace faultline::test
