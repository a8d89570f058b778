#include "suite/fpse/fpse.h"

#include "constraint/evaluate.h"
#include "suite/bench.h"
#include "suite/fpse/fpse_cases.h"
#include "suite/fpse/fpse_text.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

// The programs themselves: the paths must be theirs.
namespace program {
#include "../../../examples/fpse/dichotomic.c"
#include "../../../examples/fpse/tcas_task.c"
} // namespace program

namespace faultline::suite {
namespace {

using numeric::binary32;
using numeric::binary64;

const FpseOptions patient{.solver = "interval", .seconds = 60};

const FpseProgram& program_named(const std::string& name) {
  return *std::ranges::find(fpse_programs(), name, &FpseProgram::name);
}

std::string answer(const char* name, numeric::BinaryFormat format) {
  return evaluate(program_named(name), format, patient).answer();
}

TEST(Fpse, EveryResultIsTheOneThatIsExpected) {
  EXPECT_EQ(fpse_programs().size(), 7u);
  for (const FpseProgram& program : fpse_programs())
    for (const auto format : {binary32, binary64}) {
      const ProgramResult result = evaluate(program, format, patient);
      EXPECT_TRUE(result.agrees) << program.name << ": " << result.answer();
      EXPECT_TRUE(result.extent.exact()) << program.name;
    }
}

TEST(Fpse, TheEndsAreExactWhereThePublishedOnesWereNot) {
  EXPECT_EQ(answer("sum_is_the_same", binary32), "[1.401298464324817e-45, 32767.998046875]");
  EXPECT_EQ(answer("sum_is_larger", binary64), "[6.103515625000001e-05, 9999.999999999998]");
  EXPECT_EQ(answer("power_40", binary64), "1.0000000000000001e-40");
  // By the machine: the published interval has a second value, which is no solution.
  const auto discriminant = [](float c) { return 3.34f * 3.34f - 4.0f * 1.22f * c; };
  EXPECT_EQ(discriminant(2.2859835624694824f), 0.0f);
  EXPECT_NE(discriminant(2.2859833240509033f), 0.0f);
  EXPECT_NE(discriminant(std::nextafter(2.2859835624694824f, 3.0f)), 0.0f);
  EXPECT_EQ(answer("goldberg_quadratic", binary32), "2.2859835624694824");
}

TEST(Fpse, AWrongOrUnprovenResultDoesNotAgree) {
  const auto order = [](float value) { return binary32.order(numeric::bits_of(value)); };
  solve::Extent extent;
  extent.seen = extent.possible = {order(1.25f), order(2.5f)};
  const auto agree = [&](Published::Kind kind, const char* least, const char* greatest) {
    return agrees(extent, {kind, least, greatest}, binary32);
  };
  EXPECT_TRUE(agree(Published::Kind::ends, "1.25", "2.5"));
  EXPECT_TRUE(agree(Published::Kind::ends, "1.2", "2.5e0")) << "digits were cut off";
  EXPECT_FALSE(agree(Published::Kind::ends, "1.250", "2.7"));
  EXPECT_FALSE(agree(Published::Kind::ends, "1.251", "2.5"));
  EXPECT_TRUE(agree(Published::Kind::member, "2.0", "2.0"));
  EXPECT_FALSE(agree(Published::Kind::member, "2.6", "2.6"));
  EXPECT_FALSE(agree(Published::Kind::infeasible, "", ""));
  extent.possible.high += 1;
  EXPECT_FALSE(agree(Published::Kind::ends, "1.25", "2.5")) << "not proven";
  extent.seen = extent.possible = {-1, -1};
  EXPECT_FALSE(agree(Published::Kind::value, "+0.0", "+0.0")) << "the other zero";
}

TEST(Fpse, PathsAreAsLongAsThePublishedOnes) {
  for (int depth = 1; depth <= deepest_dichotomic; ++depth)
    EXPECT_EQ(dichotomic(depth, DichotomicPath::found).constraints(), size_t(14 * depth + 3));
  for (const char* name : {"power_40", "power_350"})
    EXPECT_EQ(evaluate(program_named(name), binary64, patient).constraints,
              name == std::string("power_40") ? 84u : 704u);
}

solve::Result solved(const Path& path, bool ulp_max, uint64_t effort) {
  solve::Question question{.system = path.system(), .seconds = 60};
  question.ulp_max = ulp_max;
  question.effort = effort;
  return solve::solve(*solve::find_solver("interval"), question);
}

// The bits of the result under a model.
uint32_t returned(const Path& path, const constraint::Model& model) {
  std::vector<constraint::Bits> values;
  constraint::evaluate(path.system(), model, values);
  return uint32_t(values[path.result()]);
}

float float_at(const constraint::Model& model, size_t place) { return std::bit_cast<float>(uint32_t(model[place])); }

TEST(Fpse, EveryDepthOfTheDichotomicSearchIsSolvedWithUlpMax) {
  for (int depth = 1; depth <= deepest_dichotomic; ++depth) {
    const Path found = dichotomic(depth, DichotomicPath::found);
    const solve::Result with = solved(found, true, 50'000);
    ASSERT_EQ(with.answer, solve::Answer::sat) << depth;
    const float low = float_at(with.model, 0), high = float_at(with.model, 1), level = float_at(with.model, 2);
    EXPECT_EQ(std::bit_cast<uint32_t>(program::dichotomic(low, high, level)), returned(found, with.model));
    const float step = (high - low) / std::exp2(float(depth));
    EXPECT_LE(step, 1e-6f) << "the loop ends after so many turns";
    EXPECT_GT(step * 2, 1e-6f) << "and not before";
    EXPECT_EQ(solved(dichotomic(depth, DichotomicPath::too_large), true, 50'000).answer, solve::Answer::unsat) << depth;
  }
}

TEST(Fpse, UlpMaxDoesNotChangeAnswers) {
  for (int depth = 1; depth <= 3; ++depth)
    for (const DichotomicPath which : {DichotomicPath::found, DichotomicPath::too_large}) {
      const Path path = dichotomic(depth, which);
      const solve::Result with = solved(path, true, 50'000), without = solved(path, false, 50'000);
      if (without.answer != solve::Answer::unknown) {
        EXPECT_EQ(with.answer, without.answer);
      }
      EXPECT_GT(without.projections, 2 * with.projections) << "the case study does not show what it should";
    }
}

program::track track_at(const constraint::Model& model, size_t place) {
  return {float_at(model, place), float_at(model, place + 1), float_at(model, place + 2), float_at(model, place + 3)};
}

TEST(Fpse, ThePathsOfTheTaskAreThoseOfTheProgram) {
  int found = 0;
  std::map<std::string, int> names;
  for (int number = 0; number < tcas_paths; ++number) {
    ++names[tcas_name(number)];
    const Path path = tcas(number);
    const solve::Result result = solved(path, true, 20'000);
    if (result.answer != solve::Answer::sat)
      continue;
    ++found;
    float replies[3][8];
    for (size_t i = 0; i < 24; ++i)
      replies[i / 8][i % 8] = float_at(result.model, i);
    const float expected = program::tcas_periodic_task_1Hz(
        replies[0], replies[1], replies[2], track_at(result.model, 24), track_at(result.model, 28),
        track_at(result.model, 32), float_at(result.model, 36), float_at(result.model, 37));
    const float value = std::bit_cast<float>(returned(path, result.model));
    EXPECT_TRUE(value == expected || (std::isnan(value) && std::isnan(expected))) << tcas_name(number);
  }
  EXPECT_EQ(names.size(), size_t(tcas_paths));
  EXPECT_GE(found, 8);
}

TEST(Fpse, AResultThatIsMissingShowsInTheStatusAndTheReports) {
  FpseEvaluation evaluation;
  evaluation.programs.push_back(evaluate(program_named("howden"), binary32, patient));
  evaluation.paths.push_back({.study = CaseStudy::dichotomic, .depth = 4, .path = "found", .with = {}, .without = {}});
  EXPECT_FALSE(evaluation.good());
  evaluation.paths.front().study = CaseStudy::tcas;
  EXPECT_TRUE(evaluation.good()) << "paths of the task are reported, not required";
  const Csv csv = parse_csv(fpse_csv(evaluation), "fpse.csv");
  ASSERT_EQ(csv.rows.size(), 3u);
  EXPECT_EQ(csv.rows[0][csv.column("benchmark")], "howden_single");
  EXPECT_EQ(csv.rows[0][csv.column("answer")], "infeasible");
  EXPECT_EQ(csv.rows[2][csv.column("solver")], "interval without ULP-max");
  EXPECT_NE(fpse_json(evaluation).find("\"answer\": \"unknown\""), std::string::npos);
  EXPECT_NE(fpse_text(evaluation, report::Style()).find("1 of 1 results agree"), std::string::npos);
}

} // namespace
} // namespace faultline::suite
