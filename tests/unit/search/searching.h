// Searches on small sources, every run of them watched.
#pragma once

#include "../tape/reading.h"

#include "numeric/bigfloat.h"
#include "search/strategy.h"
#include "tape/replay.h"

#include <algorithm>
#include <limits>

namespace faultline::test {

constexpr long double largest_double = std::numeric_limits<double>::max();

inline search::Dimension a_double(long double low, long double high) {
  return {"x", true, numeric::Format::binary64, low, high};
}
inline search::Dimension a_float(long double low, long double high) {
  return {"x", true, numeric::Format::binary32, low, high};
}
inline search::Dimension a_long_double(long double low, long double high) {
  return {"x", true, numeric::Format::extended80, low, high};
}
inline search::Dimension an_integer(long double low, long double high) {
  return {"n", false, numeric::Format::binary64, low, high};
}

inline bool is_value_of(const search::Dimension& dimension, long double value) {
  if (!(value >= dimension.low && value <= dimension.high))
    return false;
  if (!dimension.floating)
    return value == std::rint(value);
  return dimension.format == numeric::Format::binary32   ? (long double)float(value) == value
         : dimension.format == numeric::Format::binary64 ? (long double)double(value) == value
                                                         : true;
}

inline exec::Session open_math(const std::string& text, const model::Sizes& sizes = {}) {
  return open_text("#include <math.h>\n#include <stdlib.h>\n" + text, ".c", "f", {.sizes = sizes});
}

// What a strategy may do with a session.
struct Quests {
  std::string strategy = "bracket";
  uint64_t evaluations = 20'000;
  uint64_t seed = 1;
  bool use_all = false;
  bool oracle_sees_more = false;
  bool few = false; // as a hunt does: a space of few inputs is tried in full
  std::vector<tape::Claim> claims = {};
};

struct Searched {
  std::vector<search::Candidate> candidates;
  uint64_t evaluations = 0;
  std::vector<exec::Input> runs;
  std::string outside; // the first run beyond the space, if there was one
};

inline Searched search_in(exec::Session& session, const search::Space& space, const Quests& wishes = {}) {
  Searched searched;
  search::Budget budget;
  budget.evaluations = wishes.evaluations;
  budget.seconds = 120;
  search::Evaluator evaluator(session, budget, [&](const exec::Input& input, const exec::Run&, const tape::Tape&) {
    searched.runs.push_back(input);
    for (size_t i = 0; i < input.size(); ++i)
      if (searched.outside.empty() && !is_value_of(space.dimensions.at(i), input[i]))
        searched.outside = fmt::format("run {}: input {} is {}", searched.runs.size(), i, input[i]);
  });
  const std::vector<size_t> outputs = {0};
  search::Quest quest{
      evaluator,
      space,
      outputs,
      numeric::Rng(wishes.seed),
      {.use_all = wishes.use_all, .oracle_sees_more = wishes.oracle_sees_more, .claims = wishes.claims}};
  const search::NamedStrategy& strategy = *search::find_strategy(wishes.strategy);
  searched.candidates = wishes.few ? search::search(strategy, quest) : strategy.run(quest);
  searched.evaluations = evaluator.evaluations();
  return searched;
}

// The relative error of the first output in high precision, on the path of the run; 0 if it has none.
inline double verified(exec::Session& session, const exec::Input& input) {
  const exec::Run& run = session.run(input);
  if (run.outcome != exec::Outcome::returned || run.outputs[0].record == 0 || !std::isfinite(run.outputs[0].value))
    return 0;
  const tape::Tape tape(run, session.sites(), input.size());
  const tape::Replay replay = tape::replay(tape, 2000);
  return numeric::relative_error(run.outputs[0].value, replay.values[run.outputs[0].record]);
}

inline double largest_verified(exec::Session& session, const std::vector<search::Candidate>& candidates) {
  double largest = 0;
  for (const search::Candidate& candidate : candidates)
    largest = std::max(largest, verified(session, candidate.input));
  return largest;
}

} // namespace faultline::test
