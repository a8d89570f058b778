// Steps that rounding takes the other way: where these are missed, a result that belongs to another piece of the
// function goes unseen; where others are looked at for long, every search pays.
#include "searching.h"

#include "search/bracket/flips.h"
#include "search/bracket/line_search.h"

namespace faultline::test {
namespace {

using search::Candidate;
using search::Space;

struct Sought {
  std::vector<Candidate> candidates;
  uint64_t evaluations = 0;
  std::string outside;
};

Sought seek(exec::Session& session, const Space& space, uint64_t most = 2000, uint64_t budget = 100'000,
            uint64_t seed = 1) {
  Sought sought;
  search::Budget limits;
  limits.evaluations = budget;
  limits.seconds = 120;
  search::Evaluator evaluator(session, limits, [&](const exec::Input& input, const exec::Run&, const tape::Tape&) {
    for (size_t i = 0; i < input.size(); ++i)
      if (!is_value_of(space.dimensions.at(i), input[i]))
        sought.outside = fmt::format("{}", input[i]);
  });
  const std::vector<size_t> outputs = {0};
  search::Quest quest{evaluator, space, outputs, numeric::Rng(seed)};
  search::Scorer scorer(quest, "flips");
  numeric::Rng rng(seed);
  search::Flips(quest, scorer).seek([&] { return search::ordinary_point(space, rng); }, most);
  sought.evaluations = evaluator.evaluations();
  sought.candidates = scorer.best(64, 64);
  return sought;
}

// Would exact arithmetic go another way, or round to another number?
bool flips(exec::Session& session, const exec::Input& input) {
  const tape::Tape tape = read(session, input);
  const tape::Replay replay = tape::replay(tape, 500);
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (ops::rounds_to_integer(tape.site(index).op) && replay.values[index].to_long_double() != tape.exact(index))
      return true;
  return !replay.flips.empty();
}

struct Stepping {
  std::string name, text;
  std::vector<search::Dimension> dimensions;
};
void PrintTo(const Stepping& stepping, std::ostream* stream) { *stream << stepping.name; }

class Steps : public testing::TestWithParam<Stepping> {};

constexpr const char* table = "static const double t[4] = {1, 7, 2, 5};\n";

TEST_P(Steps, AreFoundWhereRoundingTakesThem) {
  exec::Session session = open_math(table + GetParam().text);
  for (uint64_t seed : {1, 2, 3}) {
    const Sought sought = seek(session, {GetParam().dimensions}, 2000, 100'000, seed);
    EXPECT_GE(sought.candidates.size(), 3u) << seed;
    EXPECT_LE(sought.evaluations, 2100u); // with what the scorer looks at twice
    EXPECT_EQ(sought.outside, "");
    for (const Candidate& candidate : sought.candidates)
      EXPECT_TRUE(flips(session, candidate.input)) << fmt::format("{}", candidate.input[0]);
  }
}

TEST_P(Steps, AreSoughtWithinTheBudget) {
  exec::Session session = open_math(table + GetParam().text);
  for (uint64_t budget : {0, 1, 2, 5, 9, 14, 40, 77}) {
    EXPECT_LE(seek(session, {GetParam().dimensions}, 2000, budget).evaluations, budget);
    const Sought sought = seek(session, {GetParam().dimensions}, budget);
    EXPECT_LE(sought.evaluations, budget + 64 * sought.candidates.size()); // the scorer looks twice
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Steps,
    testing::Values(
        Stepping{"conversion", "double f(double x) { return t[(int)(x * 66) % 4]; }", {a_double(0, 24)}},
        Stepping{"negative_conversion", "double f(double x) { return t[-(int)(x / 0.3) % 4]; }", {a_double(-50, 0)}},
        Stepping{"floor", "double f(double x) { return fmod(floor(x / 0.1), 3) + 1; }", {a_double(0, 1000)}},
        Stepping{"ceiling", "double f(double x) { return t[(int)ceil(x * 1.1) % 4]; }", {a_double(0, 1e5)}},
        Stepping{"round", "double f(double x) { return t[(int)round(x * 3.3) % 4]; }", {a_double(0, 500)}},
        Stepping{"lrint", "double f(double x) { return t[lrint(x / 0.7) % 4]; }", {a_double(0, 500)}},
        Stepping{"single", "float f(float x) { return (float)t[(int)(x * 0.7f) % 4]; }", {a_float(0, 3000)}},
        Stepping{"rarely", "double f(double x) { return t[(unsigned long)exp(x) % 4]; }", {a_double(5, 20)}},
        Stepping{"two_inputs",
                 "double f(double x, double y) { return t[(int)(x * y) % 4]; }",
                 {a_double(0, 100), a_double(1, 9)}},
        Stepping{"comparison",
                 "double f(double x, double y) { return x * 0.1 < y / 3 ? 1 : 2; }",
                 {a_double(1, 100), a_double(1, 100)}},
        Stepping{
            "late_in_a_loop",
            "double f(double x) { int n = 0; for (double s = 0; s < x; s += 0.1) n++; return n < 200 ? 1 : t[n % 4]; }",
            {a_double(0, 60)}},
        Stepping{"any_range",
                 "double f(double x) { return t[(int)floor(log2(fabs(x) + 1) * 3) % 4]; }",
                 {a_double(-largest_double, largest_double)}}),
    [](const auto& info) { return info.param.name; });

TEST(StepsThatDoNoHarm, CostLittle) {
  const std::vector<std::pair<std::string, search::Dimension>> harmless = {
      {"double f(double x) { return x < 0.5 ? 1 : floor(x * 2) + 1; }", a_double(0, 100)}, // exact operands
      {"double f(double x) { return x * 3 + 1; }", a_double(0, 100)},                      // no steps
      // Pieces that join; the second where the function is zero, so that neighbours differ by their whole size.
      {"double f(double x) { double n = floor(x * 1.1); return n + (x * 1.1 - n) + 1; }", a_double(0, 100)},
      {"double f(double x) { double r = x - 0.7 * floor(x / 0.7); return r < 0.35 ? r : 0.7 - r; }", a_double(1, 100)},
      {"double f(double x) { return x * 1.1 > 3.3 ? sqrt(x * 1.1) : sqrt(3.3) + (x * 1.1 - 3.3) / (2 * sqrt(3.3)); }",
       a_double(0, 10)}};
  for (const auto& [text, dimension] : harmless) {
    exec::Session session = open_math(text);
    const Sought sought = seek(session, {{dimension}});
    EXPECT_EQ(sought.candidates.size(), 0u) << text;
    EXPECT_LT(sought.evaluations, 250u) << text;
  }
}

TEST(StepsThatRoundingTakes, AreTheSameUnderTheSameSeed) {
  exec::Session session = open_math(std::string(table) + "double f(double x) { return t[(int)(x * 66) % 4]; }");
  auto inputs = [&](uint64_t seed) {
    std::vector<exec::Input> all;
    for (const Candidate& candidate : seek(session, {{a_double(0, 24)}}, 2000, 100'000, seed).candidates)
      all.push_back(candidate.input);
    return all;
  };
  EXPECT_EQ(inputs(1), inputs(1));
  EXPECT_NE(inputs(1), inputs(2));
}

} // namespace
} // namespace faultline::test
