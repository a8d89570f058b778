#include "judge/tasks/work.h"

#include "judge/space_of_target.h"
#include "numeric/bigfloat.h"
#include "ops/table.h"
#include "search/line.h"
#include "search/paths/paths.h"
#include "tape/path.h"

#include <algorithm>
#include <map>
#include <set>

namespace faultline::judge {

using model::Region;
using numeric::Int128;
using numeric::Value;
using search::Dimension;

namespace {

constexpr size_t most_inputs = 16; // with special values: later elements of a long array resemble the first

bool has(const Dimension& dimension, Value value) {
  return value >= dimension.low && value <= dimension.high && dimension.nearest(value) == value;
}

std::vector<Value> special_values(const Dimension& dimension) {
  std::vector<Value> values = {0, 1, -1, 2, dimension.low, dimension.high};
  if (dimension.floating) {
    const Value tiny = numeric::smallest_normal(dimension.format), huge = numeric::largest(dimension.format);
    const Value least = dimension.at(dimension.order(0) + 1), epsilon = numeric::ulp(1, dimension.format);
    values.insert(values.end(), {-0.0L, 0.5L, tiny, -tiny, least, -least, huge, -huge, epsilon, 1 + epsilon});
  }
  std::erase_if(values, [&](Value value) { return !has(dimension, value); });
  return values;
}

// All of these are guesses; the example of docs/vectors.md shows their effect on GSL.
constexpr uint64_t most_runs = 60'000; // for all except the exploration
constexpr uint64_t samples_per_vector = 8;
constexpr uint64_t fewest_samples = 200, most_samples = 2'000;
constexpr uint64_t attempts_per_vector = 8; // to find a border
constexpr size_t borders_per_site = 2;      // more would show the same decision again

struct ExploredInputs {
  std::vector<exec::Input> inputs; // for the outcomes of branches
  bool cut = false;                // by the clock
};

// Explores like cover, with a separate budget that does not reduce the one for samples.
ExploredInputs explore_branches(exec::Session& session, const model::Settings& settings, const Tell& tell) {
  search::Evaluator evaluator(session, {.seconds = seconds_to_explore(settings)}, telling_runs(tell));
  search::PathsLimits limits;
  limits.everyday = true;
  const search::Exploration found = search::explore_paths(evaluator, space_of(session.target(), settings),
                                                          session.target(), limits, numeric::Rng(settings.seed));
  ExploredInputs explored{{}, evaluator.cut()};
  for (const search::BranchOutcome& branch : found.outcomes)
    if (branch.state == search::BranchState::covered &&
        std::ranges::find(explored.inputs, branch.input) == explored.inputs.end())
      explored.inputs.push_back(branch.input);
  return explored;
}

class Candidates {
public:
  Candidates(exec::Session& session, const model::Settings& settings, const model::CandidatesTask& task,
             const Tell& tell)
      : session_(session), task_(task), tell_(tell), space_(space_of(session.target(), settings)),
        everyday_(search::everyday_part(space_)), rng_(numeric::Rng(settings.seed).fork("vectors")),
        evaluator_(session, {.evaluations = most_runs, .seconds = settings.budget_seconds},
                   [](const exec::Input&, const exec::Run&, const tape::Tape&) {}) {}

  void run(const ExploredInputs& explored) {
    for (const exec::Input& input : task_.inputs)
      add(Region::problem, input);
    for (const exec::Input& input : explored.inputs)
      add(Region::branch, input);
    for (const exec::Input& input : special_inputs(space_))
      add(Region::special, input);
    sample();
    find_borders();
    tell_(model::CandidatesDone{told_, explored.cut || evaluator_.cut()});
  }

private:
  struct SampledRun {
    exec::Input input;
    std::vector<tape::Branch> path;
  };

  std::vector<tape::Branch> path_of(const exec::Input& input) {
    const tape::Tape tape = evaluator_.run(input);
    return tape::path(tape);
  }

  // Only outcomes that cover counts: a conversion to an integer has as many outcomes as there are integers.
  std::vector<std::pair<uint32_t, int64_t>> outcomes_of(const std::vector<tape::Branch>& path) const {
    std::set<std::pair<uint32_t, int64_t>> outcomes;
    for (const tape::Branch& branch : path) {
      const ops::Op op = session_.sites().sites[branch.site].op;
      if (ops::is_comparison(op) || op == ops::Op::decide)
        outcomes.insert({branch.site, branch.outcome});
    }
    return {outcomes.begin(), outcomes.end()};
  }

  void add(Region region, const exec::Input& input) {
    if (region != Region::problem && evaluator_.spent())
      return;
    std::vector<tape::Branch> path = path_of(input);
    if (!evaluator_.ended() && region != Region::problem)
      return; // a test must not take that long
    tell_(model::CandidateMessage{region, input, outcomes_of(path)});
    ++told_;
    ran_.push_back({input, std::move(path)});
  }

  // Half of the samples are everyday inputs, which a library is used on.
  void sample() {
    const uint64_t count = std::clamp(task_.vectors * samples_per_vector, fewest_samples, most_samples);
    for (uint64_t i = 0; i < count; ++i)
      add(Region::ordinary, i % 2 == 0   ? everyday_.sample_floats(rng_)
                            : i % 6 == 1 ? space_.sample_floats(rng_)
                            : i % 6 == 3 ? everyday_.sample_reals(rng_)
                                         : everyday_.sample_alike(rng_));
  }

  // Two runs that differ in one input and take different paths have a border between them.
  void find_borders() {
    std::map<uint32_t, size_t> of_site;
    std::vector<size_t> free;
    for (size_t d = 0; d < space_.dimensions.size(); ++d)
      if (!space_.dimensions[d].held())
        free.push_back(d);
    const uint64_t attempts = std::min<uint64_t>(task_.vectors * attempts_per_vector, most_samples);
    for (uint64_t i = 0; i < attempts && !free.empty() && ran_.size() > 1 && !evaluator_.spent(); ++i) {
      const SampledRun from = ran_[rng_.below(ran_.size())];
      const size_t moving = free[i % free.size()];
      exec::Input to = from.input;
      to[moving] = ran_[rng_.below(ran_.size())].input[moving];
      const std::optional<uint32_t> site = first_difference(from.path, path_of(to));
      if (!site || of_site[*site] >= borders_per_site)
        continue;
      const auto [below, above] = border_between(from, to);
      if (const auto at = first_difference(path_of(below), path_of(above)); at && of_site[*at]++ < borders_per_site) {
        add(Region::border, below);
        add(Region::border, above);
      }
    }
  }

  static std::optional<uint32_t> first_difference(const std::vector<tape::Branch>& a,
                                                  const std::vector<tape::Branch>& b) {
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      if (a[i].site != b[i].site || a[i].outcome != b[i].outcome)
        return a[i].site;
    if (a.size() == b.size())
      return {};
    return (a.size() > b.size() ? a[b.size()] : b[a.size()]).site;
  }

  // Neighbours: the last input on the path of the first, and the next one.
  std::pair<exec::Input, exec::Input> border_between(const SampledRun& from, const exec::Input& to) {
    const search::Line line = search::Line::between(space_, from.input, to);
    Int128 same = 0, other = line.length();
    while (other - same > 1 && !evaluator_.spent()) {
      const Int128 middle = same + (other - same) / 2;
      (first_difference(from.path, path_of(line.at(middle))) ? other : same) = middle;
    }
    return {line.at(same), line.at(other)};
  }

  exec::Session& session_;
  const model::CandidatesTask& task_;
  const Tell& tell_;
  search::Space space_, everyday_;
  numeric::Rng rng_;
  search::Evaluator evaluator_;
  std::vector<SampledRun> ran_;
  uint64_t told_ = 0;
};

} // namespace

std::vector<exec::Input> special_inputs(const search::Space& space) {
  std::vector<exec::Input> inputs;
  const auto add = [&](const exec::Input& input) {
    if (std::ranges::none_of(inputs, [&](const exec::Input& other) { return exec::same_bits(input, other); }))
      inputs.push_back(input);
  };
  exec::Input ones;
  std::vector<Value> common;
  for (const Dimension& dimension : space.dimensions) {
    ones.push_back(dimension.nearest(1));
    for (const Value value : special_values(dimension))
      if (dimension.floating)
        common.push_back(value);
  }
  if (space.dimensions.size() > 1)
    for (const Value value : common) {
      exec::Input input;
      for (const Dimension& dimension : space.dimensions)
        input.push_back(has(dimension, value) ? value : dimension.nearest(1));
      add(input);
    }
  for (size_t i = 0; i < std::min(space.dimensions.size(), most_inputs); ++i)
    for (const Value value : special_values(space.dimensions[i])) {
      exec::Input input = ones;
      input[i] = value;
      add(input);
    }
  return inputs;
}

void tell_candidates(exec::Session& session, const model::Settings& settings, const model::CandidatesTask& task,
                     const Tell& tell) {
  const ExploredInputs explored = explore_branches(session, settings, tell);
  Candidates(session, settings, task, tell).run(explored);
}

} // namespace faultline::judge
