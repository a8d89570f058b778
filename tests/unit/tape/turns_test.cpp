#include "reading.h"

#include "tape/turns.h"

namespace faultline::test {
namespace {

std::optional<tape::Turns> turns_of(const std::string& body, double x) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) { double y = x, s = 0;\n" + body + " }");
  return tape::last_turns(read(session, {x}));
}

// What `more` turns make of the result.
double after(const std::string& body, double x, uint32_t more) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) { double y = x, s = 0;\n" + body + " }");
  const tape::Tape tape = read(session, {x});
  const std::optional<tape::Turns> turns = tape::last_turns(tape);
  EXPECT_TRUE(turns);
  const auto values = tape::after_more_turns(tape, *turns, more, {output_record(tape)}, 128);
  EXPECT_EQ(values.size(), 1u);
  return values.front().to_double();
}

const std::string newton = "for (int i = 0; i < 6; i++) y = 0.5 * (y + x / y); return 3 * y;";

TEST(Turns, RepeatEachOther) {
  const auto turns = turns_of(newton, 1e6);
  ASSERT_TRUE(turns);
  EXPECT_GE(turns->length * turns->count, 3u * 5) << "the first may be another";
}

TEST(Turns, CanBeCarriedOn) { EXPECT_NEAR(after(newton, 1e6, 20), 3000, 1e-9); }

TEST(Turns, OfNoneAreWhatIsNotTheSameAgain) {
  EXPECT_FALSE(turns_of("return sqrt(x * x + 1) - x;", 2));
  EXPECT_FALSE(turns_of("do { y = 0.5 * (y + x / y); } while (fabs(y * y - x) > 1e-9 * x); return y;", 2))
      << "a tolerance ends it";
  EXPECT_FALSE(turns_of("double h = x / 32; for (int k = 0; k < 32; k++) s += exp(-k * h) * h; return s;", 2))
      << "more turns would be another sum";
}

} // namespace
} // namespace faultline::test
