// What the code would have returned, had it computed something differently.
#include "reading.h"

#include "tape/replay.h"

namespace faultline::test {
namespace {

using ops::Op;

constexpr const char* code = "#include <math.h>\ndouble f(double x, float y) {\n  double c = cos(x) * y;\n  float s = "
                             "(float)(c + 0.1);\n  return c > 0.5 ? sqrt(c) - s : exp(s);\n}";

TEST(Rerun, WithoutReplacementsIsTheRun) {
  exec::Session session = open_text(code);
  for (const exec::Input& input : {exec::Input{0.3, 0.75}, exec::Input{2, 0.125}}) {
    const tape::Tape tape = read(session, input);
    const tape::Rerun again = tape::rerun(tape, [](uint32_t, auto) { return std::nullopt; });
    EXPECT_FALSE(again.flips);
    EXPECT_EQ(again.replaced, 0u);
    for (uint32_t index = 1; index < tape.size(); ++index)
      expect_same(again.values[index], tape.exact(index));
  }
}

TEST(Rerun, GoesOnFromAReplacedResultInTheFormatsOfTheCode) {
  exec::Session session = open_text(code);
  const tape::Tape tape = read(session, {0.3, 0.75});
  const uint32_t cosine = find(tape, Op::cos);
  const tape::Rerun again =
      tape::rerun(tape, [&](uint32_t record, auto) { return record == cosine ? std::optional(0.9L) : std::nullopt; });
  EXPECT_EQ(again.replaced, 1u);
  const double c = 0.9 * 0.75;
  EXPECT_EQ(double(again.values[output_record(tape)]), std::sqrt(c) - double(float(c + 0.1)));
}

TEST(Rerun, SaysThatADecisionWouldBeAnotherOne) {
  exec::Session session = open_text(code);
  const tape::Tape tape = read(session, {0.3, 0.75});
  const uint32_t cosine = find(tape, Op::cos);
  EXPECT_TRUE(tape::rerun(tape, [&](uint32_t record, auto) {
                return record == cosine ? std::optional(0.1L) : std::nullopt;
              }).flips);
}

} // namespace
} // namespace faultline::test
