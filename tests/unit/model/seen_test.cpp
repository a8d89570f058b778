#include "model/settings/seen.h"

#include "base/error.h"
#include "made_runs.h"

#include <gtest/gtest.h>

namespace faultline::model {
namespace {

Target target_like(const SeenFunction& seen) {
  Target target;
  target.function = seen.function;
  target.symbol = seen.symbol;
  target.file = "elsewhere/f.c";
  for (const SeenInput& input : seen.inputs) {
    Cell cell;
    cell.name = input.name;
    target.inputs.push_back(cell);
  }
  return target;
}

TEST(Seen, ProcessesAddUp) {
  SeenFunction seen = seen_function(), other = seen_function();
  other.sampled = true;
  other.inputs[0] = seen_input("x", "binary64", 1e-3L, 200, 1e-3L);
  other.inputs[0].zero = 4;
  merge(seen, other);
  EXPECT_EQ(seen.calls, 4u);
  EXPECT_TRUE(seen.sampled);
  const SeenInput& x = seen.inputs[0];
  EXPECT_EQ(x.low, -0.1);
  EXPECT_EQ(x.high, 200);
  EXPECT_EQ(x.least, 1e-3L);
  EXPECT_EQ(x.most, 200);
  EXPECT_EQ(x.zero, 4u);
  EXPECT_EQ(x.finite, 4u);
  EXPECT_EQ(x.positives, (std::map<int, uint64_t>{{3, 2}}));
  EXPECT_EQ(seen.tuples.size(), 2u) << "each once";
}

TEST(Seen, AProcessWithoutFiniteValuesChangesNoRange) {
  SeenFunction seen = seen_function(), other = seen_function();
  other.inputs[0] = SeenInput();
  other.inputs[0].nan = 1;
  merge(seen, other);
  EXPECT_EQ(seen.inputs[0].high, 10);
  EXPECT_EQ(seen.inputs[0].least, 0.1);
}

TEST(Seen, WhicheverProcessComesFirstTheSameCallsAreKept) {
  SeenFunction even = seen_function(), odd = seen_function();
  for (int i = 0; i < 64; ++i)
    (i % 2 ? odd : even).tuples.push_back(SeenCall{{(long double)i}, {1}});
  SeenFunction one = even, other = odd;
  merge(one, odd);
  merge(other, even);
  EXPECT_EQ(one.tuples, other.tuples);
  EXPECT_EQ(one.tuples.size(), most_seen_tuples);
}

TEST(Seen, IsOfTheSameFunctionWithTheSameInputs) {
  const SeenRuns runs = seen_runs();
  Target target = target_like(runs.functions.front());
  EXPECT_NE(find_seen(runs, target), nullptr);
  target.inputs[1].name = "m";
  EXPECT_EQ(find_seen(runs, target), nullptr) << "the function has changed";
  target = target_like(runs.functions.front());
  target.file = "g.c";
  EXPECT_EQ(find_seen(runs, target), nullptr);
}

TEST(Seen, GivesWayToWhatIsSaid) {
  const SeenFunction seen = seen_function();
  Settings settings;
  settings.everyday["x"] = {1, 2, 1};
  use_seen(seen, target_like(seen), settings);
  EXPECT_EQ(settings.everyday["x"], (Everyday{1, 2, 1}));
  EXPECT_EQ(settings.everyday["n"], (Everyday{0, 8, 8}));
}

TEST(Seen, ComesBackAsItWasWritten) {
  const SeenRuns runs = seen_runs(), again = parse_seen(seen_text(runs), "seen.json");
  EXPECT_EQ(again.functions, runs.functions);
  EXPECT_EQ(again.command, runs.command);
  EXPECT_EQ(again.processes, runs.processes);
}

TEST(Seen, OfAnotherVersionIsRefused) {
  std::string text = seen_text(seen_runs());
  const std::string schema = "\"schema\": 1";
  text.replace(text.find(schema), schema.size(), "\"schema\": 2");
  EXPECT_THROW(parse_seen(text, "seen.json"), base::UserError);
}

} // namespace
} // namespace faultline::model
