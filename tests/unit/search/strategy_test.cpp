// Budgets are kept, seeds decide, and strategies find what they are there to find.
#include "../tape/reading.h"

#include "search/line.h"
#include "search/strategy.h"
#include "tape/adjoint.h"
#include "tape/residue.h"

namespace faultline::test {
namespace {

using search::Budget;
using search::Candidate;
using search::Dimension;
using search::Evaluator;
using search::Space;

auto no_observer = [](const exec::Input&, const exec::Run&, const tape::Tape&) {};

Space doubles(size_t inputs, long double low, long double high) {
  return {std::vector<Dimension>(inputs, Dimension{"x", true, numeric::Format::binary64, low, high})};
}
constexpr long double most = std::numeric_limits<double>::max();

struct Search {
  std::vector<Candidate> candidates;
  uint64_t evaluations = 0;
};

Search search_with(const std::string& strategy, exec::Session& session, const Space& space, uint64_t evaluations,
                   uint64_t seed = 1) {
  Budget budget;
  budget.evaluations = evaluations;
  budget.seconds = 120;
  Evaluator evaluator(session, budget, no_observer);
  const std::vector<size_t> outputs = {0};
  search::Quest quest{evaluator, space, outputs, numeric::Rng(seed)};
  Search search;
  search.candidates = search::find_strategy(strategy)->run(quest);
  search.evaluations = evaluator.evaluations();
  return search;
}

TEST(Evaluator, CountsAndShowsEveryRun) {
  exec::Session session = open_text("double f(double x) { return x + 1; }");
  std::vector<exec::Input> seen;
  Evaluator evaluator(session, {}, [&](const exec::Input& input, const exec::Run& run, const tape::Tape& tape) {
    seen.push_back(input);
    EXPECT_EQ(run.outputs[0].value, input[0] + 1);
    EXPECT_EQ(tape.inputs(), 1u);
  });
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(evaluator.run({(long double)i}).outputs()[0].value, i + 1);
  EXPECT_EQ(evaluator.evaluations(), 5u);
  EXPECT_EQ(seen.size(), 5u);
  EXPECT_TRUE(evaluator.usable());
}

TEST(Evaluator, KeepsToTheNumberOfEvaluations) {
  exec::Session session = open_text("double f(double x) { return x + 1; }");
  Evaluator evaluator(session, {.evaluations = 20}, no_observer);
  int runs = 0, half = 0;
  for (; !evaluator.spent(); ++runs) {
    half += !evaluator.spent(0.5);
    evaluator.run({1});
  }
  EXPECT_EQ(runs, 20);
  EXPECT_EQ(half, 10);
  EXPECT_FALSE(evaluator.out_of_time());
}

TEST(Evaluator, KeepsToTheNumberOfRecords) {
  exec::Session session =
      open_text("double f(double x) { return x * 3 + 1; }"); // an input and two operations, and record 0
  Evaluator evaluator(session, {.records = 400}, no_observer);
  int runs = 0;
  for (; !evaluator.spent(); ++runs)
    evaluator.run({1});
  EXPECT_EQ(runs, 100);
  EXPECT_FALSE(evaluator.out_of_time());
  Evaluator charged(session, {.records = 400}, no_observer);
  charged.run({1});
  charged.charge(400);
  EXPECT_TRUE(charged.spent());
}

TEST(Evaluator, StopsAfterAFewTimeOuts) {
  exec::Session session = open_text("static volatile int n;\ndouble f(double x) { while (x > 10) n++; return x + 1; }");
  Evaluator evaluator(session, {.timeouts = 2}, no_observer);
  evaluator.run({11});
  EXPECT_FALSE(evaluator.usable());
  EXPECT_FALSE(evaluator.spent());
  evaluator.run({1});
  EXPECT_TRUE(evaluator.usable());
  EXPECT_FALSE(evaluator.spent());
  evaluator.run({12});
  EXPECT_TRUE(evaluator.spent());
  EXPECT_TRUE(evaluator.spent(2));
  EXPECT_TRUE(evaluator.out_of_time());
}

TEST(Evaluator, StopsByTheClock) {
  exec::Session session =
      open_text("double f(double x) { double s = x; for (int i = 0; i < 20000; i++) s = s * 0.5 + 1; return s; }");
  Evaluator evaluator(session, {.seconds = 0.05}, no_observer);
  int runs = 0;
  for (; !evaluator.spent() && runs < 1'000'000; ++runs)
    evaluator.run({1});
  EXPECT_TRUE(evaluator.out_of_time());
  EXPECT_LT(evaluator.seconds(), 5);
}

TEST(Strategies, AreListedOnceAndFoundByName) {
  std::set<std::string> names;
  for (const std::string& name : search::strategy_names()) {
    EXPECT_TRUE(names.insert(name).second);
    const search::NamedStrategy* found = search::find_strategy(name);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->name, name);
    EXPECT_FALSE(std::string(found->description).empty());
  }
  EXPECT_EQ(search::strategy_names().front(), "auto");
  EXPECT_TRUE(names.contains("random"));
  EXPECT_TRUE(names.contains("atomu"));
  EXPECT_EQ(search::find_strategy("no such strategy"), nullptr);
}

class Seeded : public testing::TestWithParam<const char*> {};

std::string text_of(const std::vector<Candidate>& candidates) {
  std::string text;
  for (const Candidate& candidate : candidates) {
    text += fmt::format("{} {} {:a}", candidate.strategy, candidate.site, candidate.score);
    for (long double value : candidate.input)
      text += fmt::format(" {:a}", double(value));
    text += "\n";
  }
  return text;
}

constexpr const char* two_inputs =
    "#include <math.h>\ndouble f(double x, double y) { return sqrt(x * x + 1) - y + log(fabs(y)) * sin(x); }";

TEST_P(Seeded, CandidatesDependOnTheSeedAlone) {
  exec::Session session = open_text(two_inputs), other = open_text(two_inputs);
  const Space space = doubles(2, -most, most);
  const Search first = search_with(GetParam(), session, space, 5000);
  const Search again = search_with(GetParam(), session, space, 5000);
  const Search elsewhere = search_with(GetParam(), other, space, 5000);
  ASSERT_FALSE(first.candidates.empty());
  EXPECT_EQ(text_of(first.candidates), text_of(again.candidates)) << "a session that ran before";
  EXPECT_EQ(text_of(first.candidates), text_of(elsewhere.candidates)) << "a fresh session";
  EXPECT_EQ(first.evaluations, again.evaluations);
  EXPECT_NE(text_of(first.candidates), text_of(search_with(GetParam(), session, space, 5000, 2).candidates));
}

TEST_P(Seeded, SearchKeepsToBudgetRangeAndFormat) {
  exec::Session session =
      open_text("#include <math.h>\ndouble f(double x, double y, int n) { return (x + y) - x + log(y) * n; }");
  const Space space{{Dimension{"x", true, numeric::Format::binary32, -5, 5},
                     Dimension{"y", true, numeric::Format::binary64, 0.5, 0.5},
                     Dimension{"n", false, numeric::Format::binary64, 0, 3}}};
  Budget budget;
  budget.evaluations = 3000;
  budget.seconds = 60;
  uint64_t outside = 0;
  Evaluator evaluator(session, budget, [&](const exec::Input& input, const exec::Run&, const tape::Tape&) {
    const bool inside = input[0] >= -5 && input[0] <= 5 && (long double)float(input[0]) == input[0] &&
                        input[1] == 0.5 && input[2] >= 0 && input[2] <= 3 && input[2] == std::rint(input[2]);
    outside += !inside;
  });
  const std::vector<size_t> outputs = {0};
  search::Quest quest{evaluator, space, outputs, numeric::Rng(1)};
  search::find_strategy(GetParam())->run(quest);
  EXPECT_EQ(outside, 0u);
  EXPECT_LE(evaluator.evaluations(), 3000u);
  EXPECT_GT(evaluator.evaluations(), 1000u);
}

INSTANTIATE_TEST_SUITE_P(All, Seeded, testing::Values("random", "atomu", "auto"),
                         [](const auto& info) { return std::string(info.param); });

struct Hidden {
  std::string name, expression;
  ops::Op op;
  double low, high; // where the best input must lie
};
void PrintTo(const Hidden& hidden, std::ostream* stream) { *stream << hidden.name; }

class Atomu : public testing::TestWithParam<Hidden> {};

TEST_P(Atomu, FindsTheDangerZone) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) { return " + GetParam().expression + "; }");
  const Search search = search_with("atomu", session, doubles(1, -most, most), 60'000);
  bool found = false;
  for (const Candidate& candidate : search.candidates) {
    ASSERT_GT(candidate.site, 0u);
    if (session.sites().sites.at(candidate.site).op != GetParam().op)
      continue;
    const double condition = tape::worst_condition(read(session, candidate.input), candidate.site).condition;
    EXPECT_EQ(condition, candidate.score);
    EXPECT_GT(condition, 1e10);
    EXPECT_GT(std::fabs(candidate.input[0]), GetParam().low);
    EXPECT_LT(std::fabs(candidate.input[0]), GetParam().high);
    found = true;
  }
  EXPECT_TRUE(found);
}

INSTANTIATE_TEST_SUITE_P(All, Atomu,
                         testing::Values(Hidden{"one_minus_cos", "(1 - cos(x)) / (x * x)", ops::Op::fsub, -1, INFINITY},
                                         Hidden{"logarithm_at_one", "log(x) * 3", ops::Op::log, 0.999999, 1.000001},
                                         Hidden{"sine_at_a_multiple_of_pi", "sin(x) + x", ops::Op::sin, 3.1, INFINITY}),
                         [](const auto& info) { return info.param.name; });

TEST(AtomuRanking, PutsOperationsNearTheEndFirst) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) {\n  double a = log(x) * 3;\n  double b = "
                                    "sqrt(a * a + x) / (1 + x * x);\n  return b - 1e-2;\n}");
  const Search search = search_with("atomu", session, doubles(1, 0.01, 100), 60'000);
  int last = 1000;
  std::set<uint32_t> sites; // the best of each come first
  for (const Candidate& candidate : search.candidates) {
    if (!sites.insert(candidate.site).second)
      break;
    const int line = session.sites().sites.at(candidate.site).line;
    EXPECT_LE(line, last);
    last = line;
  }
  EXPECT_GE(sites.size(), 2u) << "the logarithm at 1 and the subtraction";
  for (const Candidate& candidate : search.candidates)
    EXPECT_TRUE(sites.contains(candidate.site)) << "an operation whose best comes late";
}

TEST(Random, RanksByTheEstimatedError) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) { return (1 - cos(x)) / (x * x); }");
  const Search search = search_with("random", session, doubles(1, -1, 1), 4000);
  ASSERT_GT(search.candidates.size(), 3u);
  const std::vector<size_t> outputs = {0};
  tape::Residues residues;
  for (size_t i = 0; i < search.candidates.size(); ++i) {
    EXPECT_EQ(tape::estimated_error(read(session, search.candidates[i].input), outputs, residues).relative,
              search.candidates[i].score);
    if (i > 0)
      EXPECT_LE(search.candidates[i].score, search.candidates[i - 1].score);
  }
  EXPECT_GT(search.candidates.front().score, 1e-3);
}

} // namespace
} // namespace faultline::test
