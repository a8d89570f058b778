#include "search/paths/paths.h"

#include "constraint/tape_terms.h"
#include "goal/exception.h"
#include "search/line.h"
#include "search/paths/ordinary.h"
#include "search/paths/path_tree.h"
#include "search/scorer.h"
#include "tape/exceptions.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <set>

namespace faultline::search {

using constraint::Leaves;

using State = PathTree::State;

namespace {

// Turns a decision by trial: for values without constraints, such as integers, and for questions that no solver
// answers. Steps of growing size in every input, kept if the decision comes closer to its turn on the same path.
constexpr numeric::Int128 integer_steps_end = 1'000'000; // a guess: integers in decisions are mostly small
constexpr double off_the_path = std::numeric_limits<double>::infinity();

class Approach {
public:
  Approach(Evaluator& evaluator, const Space& space, const exec::Input& start, size_t place)
      : evaluator_(evaluator), space_(space), place_(place), best_(start) {
    const tape::Tape tape = evaluator.run(start);
    wanted_path_ = tape::path(tape);
    wanted_path_.resize(std::min(wanted_path_.size(), place + 1));
    left_ = wanted_path_.size() > place ? distance(tape) : off_the_path;
  }

  std::optional<exec::Input> run(uint64_t most_runs) {
    if (left_ == off_the_path)
      return std::nullopt;
    const uint64_t end = evaluator_.evaluations() + most_runs;
    for (bool moved = true; moved && !done_;) {
      moved = false;
      for (size_t i = 0; i < best_.size() && !done_; ++i)
        if (!space_.dimensions[i].held())
          moved |= space_.dimensions[i].floating ? walk(i, end) : walk_integer(i, end);
      if (evaluator_.evaluations() >= end || evaluator_.spent())
        break;
    }
    return done_ ? std::optional(best_) : std::nullopt;
  }

private:
  // Tries steps of 2^k floats, large ones first.
  bool walk(size_t which, uint64_t end) {
    const Dimension& dimension = space_.dimensions[which];
    bool moved = false;
    for (int k = numeric::info(dimension.format).bytes * 8 - 2; k >= 0 && !done_; --k)
      for (const int sign : {1, -1})
        while (!done_ && evaluator_.evaluations() < end && step(which, numeric::Int128(sign) << k))
          moved = true;
    return moved;
  }

  bool walk_integer(size_t which, uint64_t end) {
    bool moved = false;
    for (numeric::Int128 size = 1; size < integer_steps_end && !done_; size *= 2)
      for (const int sign : {1, -1})
        if (!done_ && evaluator_.evaluations() < end && step(which, sign * size))
          moved = true;
    return moved;
  }

  bool step(size_t which, numeric::Int128 step) {
    const Dimension& dimension = space_.dimensions[which];
    exec::Input input = best_;
    const numeric::Int128 at = dimension.order(input[which]) + step;
    if (at < dimension.order(dimension.low) || at > dimension.order(dimension.high))
      return false;
    input[which] = dimension.at(at);
    const double distance_now = distance(evaluator_.run(input));
    if (!(distance_now < left_) && !done_)
      return false;
    best_ = input;
    left_ = distance_now;
    return true;
  }

  // The distance of the decision, if the run reached it on the same path. Sets done_ if it has turned.
  double distance(const tape::Tape& tape) {
    const std::vector<tape::Branch> path = tape::path(tape);
    if (path.size() <= place_)
      return off_the_path;
    for (size_t i = 0; i < place_; ++i)
      if (path[i].site != wanted_path_[i].site || path[i].outcome != wanted_path_[i].outcome)
        return off_the_path;
    if (path[place_].site != wanted_path_[place_].site)
      return off_the_path;
    done_ = path[place_].outcome != wanted_path_[place_].outcome;
    return done_ ? 0 : goal::distance(tape, path[place_], path[place_].outcome + 1);
  }

  Evaluator& evaluator_;
  const Space& space_;
  size_t place_;
  exec::Input best_;
  std::vector<tape::Branch> wanted_path_;
  double left_ = off_the_path;
  bool done_ = false;
};

// Runs from `start` to change decision number `place` while the earlier ones stay. Returns the input that does it.
std::optional<exec::Input> approach(Evaluator& evaluator, const Space& space, const exec::Input& start, size_t place,
                                    uint64_t most_runs) {
  return Approach(evaluator, space, start, place).run(most_runs);
}

class Explorer {
public:
  Explorer(Evaluator& evaluator, const Space& space, const model::Target& target, const PathsLimits& limits,
           numeric::Rng rng)
      : evaluator_(evaluator), space_(space), limits_(limits), rng_(rng), inputs_(input_ranges(space, target)),
        tree_(evaluator.session().sites(), limits.loop_bound) {
    if (limits.everyday)
      ordinary_.emplace(evaluator, space, inputs_, limits, rng.fork("everyday"));
  }

  Exploration run() {
    for (const exec::Input& seed : limits_.seeds)
      if (!evaluator_.spent())
        try_input(seed);
    if (ordinary_)
      ordinary_->try_points([this](const exec::Input& input) { try_input(input, true); });
    sample();
    while (!evaluator_.spent() && explored_.questions < limits_.questions && explored_.paths.size() < limits_.paths) {
      if ((!limits_.every_path && all_covered()) || (limits_.go_on && !limits_.go_on()))
        break;
      if (const auto next = tree_.next())
        work_on(*next);
      else if (!raise_bound())
        break;
    }
    if (ordinary_)
      ordinary_->improve(tree_, decided(), [this](const exec::Input& input) { try_input(input); });
    return report();
  }

private:
  bool raise_bound() {
    while (bounds_raised_ < limits_.further_bounds.size())
      if (tree_.raise_loop_bound(limits_.further_bounds[bounds_raised_++]))
        return true;
    return false;
  }

  void sample() {
    const Evaluator::FoundBy found_by(evaluator_, "sampling");
    for (uint64_t i = 0; i < limits_.samples && !evaluator_.spent(); ++i)
      try_input(i % 3 == 0   ? space_.sample_reals(rng_)
                : i % 3 == 1 ? space_.sample_floats(rng_)
                             : space_.sample_alike(rng_));
  }

  // `only_for_gain`: forgets a run that shows nothing new, so that many points do not fill the tree.
  void try_input(const exec::Input& input, bool only_for_gain = false) {
    const tape::Tape tape = evaluator_.run(input);
    if (!evaluator_.ended()) {
      ++unfinished_;
      return;
    }
    std::vector<tape::Branch> decisions = tape::path(tape);
    if (!limits_.past_exceptions)
      cut_at_exception(decisions, tape);
    const double strange = ordinary_ ? strangeness(space_, input, tape, decisions, evaluator_.outcome()) : 0;
    if (only_for_gain && !tree_.gains(decisions, strange))
      return;
    if (tree_.add(input, decisions, strange))
      explored_.paths.push_back({input, decisions.size(), evaluator_.outcome()});
  }

  // Ariadne's run ends at an infinity or a NaN. An underflow leaves a number.
  static void cut_at_exception(std::vector<tape::Branch>& decisions, const tape::Tape& tape) {
    uint32_t end = tape.size();
    for (const tape::ExceptionEvent& event : tape::exceptions(tape))
      if (event.kind != ops::Exception::underflow) {
        end = event.record;
        break;
      }
    std::erase_if(decisions, [end](const tape::Branch& decision) { return decision.record > end; });
  }

  bool all_covered() const {
    return std::ranges::all_of(decided(), [&](const auto& one) { return tree_.covered(one.first, one.second); });
  }

  std::vector<int64_t> outcomes(uint32_t site) const {
    const ops::Op op = evaluator_.session().sites().sites[site].op;
    return ops::is_comparison(op) || op == ops::Op::decide ? tree_.outcomes_of(site) : std::vector<int64_t>{};
  }

  void work_on(size_t index) {
    const PathTree::Node node = tree_.node(index);
    const size_t seen = node.seen.size();
    if (ops::is_to_int(evaluator_.session().sites().sites[node.site].op)) {
      if (!node.compared)
        try_integers(node);
      tree_.node(index).compared = true;
      if (int(seen) > limits_.loop_bound) { // there are too many integers to try
        tree_.node(index).state = State::open;
        return;
      }
    }
    if (tree_.node(index).seen.size() == seen)
      turn_by_solving(index, node);
    if (tree_.node(index).state == State::pending && tree_.node(index).seen.size() == seen)
      turn_by_trying(node);
    PathTree::Node& now = tree_.node(index);
    if (now.state == State::pending && now.seen.size() == seen)
      now.state = State::open;
  }

  void turn_by_trying(const PathTree::Node& node) {
    const Evaluator::FoundBy found_by(evaluator_, "descent");
    if (const auto input = approach(evaluator_, space_, node.input, node.place, limits_.trials))
      try_input(*input);
  }

  // Tries the integers that are compared with the converted value, and their neighbours.
  void try_integers(const PathTree::Node& node) {
    for (const int64_t integer : compared_integers(node)) {
      if (evaluator_.spent() || explored_.questions >= limits_.questions)
        return;
      bool leaves = false;
      ask(node, integer, Leaves::as_they_were, leaves);
    }
  }

  std::set<int64_t> compared_integers(const PathTree::Node& node) {
    const tape::Tape tape = evaluator_.run(node.input);
    const std::vector<tape::Branch> decisions = tape::path(tape);
    std::set<int64_t> integers;
    for (size_t i = node.place + 1; i < decisions.size(); ++i) {
      const tape::Site& site = tape.site(decisions[i].record);
      const tape::Record& record = tape.record(decisions[i].record);
      if (site.op != ops::Op::decide || !site.determined || record.a == 0)
        continue;
      // Assumes that the integer appears unchanged or with a constant added.
      const double a = tape.value(record.a), here = double(decisions[node.place].outcome);
      std::vector<double> others(site.cases.begin(), site.cases.end());
      if (record.b != 0)
        others.push_back(tape.value(record.b));
      for (const double other : others)
        for (const double step : {0.0, -1.0, 1.0})
          for (const double integer : {here + (other - a) + step, here - (other - a) + step})
            if (std::fabs(integer) < 0x1p53)
              integers.insert(int64_t(integer));
    }
    for (const int64_t outcome : node.seen)
      integers.erase(outcome);
    return integers;
  }

  void turn_by_solving(size_t index, const PathTree::Node& node) {
    bool leaves = false;
    solve::Result result = ask(node, std::nullopt, Leaves::as_they_were, leaves);
    if (result.answer == solve::Answer::unsat && leaves)
      result = ask(node, std::nullopt, Leaves::anything, leaves);
    if (result.answer == solve::Answer::unsat) {
      tree_.node(index).state = State::settled;
      tree_.node(index).solver = result.solver;
    }
  }

  // Solves for an input that leaves the path at this node, and runs it; first for an everyday one if requested.
  solve::Result ask(const PathTree::Node& node, std::optional<int64_t> to, Leaves leaves, bool& has_leaves) {
    const PathQuestion question{node, node.seen, to, leaves, limits_.effort};
    if (ordinary_ && leaves == Leaves::as_they_were)
      if (const PathAnswer answer = ordinary_->ask(question); answer.input) {
        try_answer(answer);
        return answer.result;
      }
    const PathAnswer answer = search::ask(evaluator_, question, inputs_, limits_, rng_);
    explored_.questions += answer.asked;
    has_leaves = answer.asked ? answer.leaves : has_leaves;
    try_answer(answer);
    return answer.result;
  }

  void try_answer(const PathAnswer& answer) {
    if (!answer.input)
      return;
    const Evaluator::FoundBy found_by(evaluator_, solve::known_name(answer.result.solver));
    try_input(space_.with_own_values(*answer.input));
  }

  // The possible outcomes of decisions in the program, by site.
  std::vector<std::pair<uint32_t, int64_t>> decided() const {
    std::vector<std::pair<uint32_t, int64_t>> all;
    const auto& sites = evaluator_.session().sites().sites;
    for (uint32_t site = runtime::first_program_site; site < sites.size(); ++site)
      for (const int64_t outcome : outcomes(site))
        all.emplace_back(site, outcome);
    return all;
  }

  Exploration report() {
    bool stopped = false;
    for (const PathTree::Node& node : tree_.nodes()) {
      explored_.bounded += node.state == State::bounded;
      explored_.unanswered += node.state == State::open;
      stopped |= node.state == State::pending;
    }
    explored_.bounded += tree_.cut();
    const bool within_bound = unfinished_ == 0 && explored_.unanswered == 0 && !stopped && !tree_.cut();
    explored_.complete = within_bound && explored_.bounded == 0;
    for (const auto& [site, outcome] : decided())
      explored_.outcomes.push_back(state(site, outcome, within_bound, stopped));
    if (ordinary_)
      explored_.questions += ordinary_->questions();
    return std::move(explored_);
  }

  BranchOutcome state(uint32_t site, int64_t outcome, bool within_bound, bool stopped) const {
    BranchOutcome branch{site, outcome, BranchState::open, {}, {}, {}};
    if (const exec::Input* input = tree_.covered(site, outcome)) {
      branch.state = BranchState::covered;
      branch.input = *input;
      return branch;
    }
    const std::vector<runtime::Unsettled>& unsettled = evaluator_.session().sites().unsettled;
    if (within_bound && !unsettled.empty()) {
      branch.why = fmt::format("{}:{}: {}", unsettled.front().place.file, unsettled.front().place.line,
                               unsettled.front().reason);
    } else if (within_bound) {
      branch.state = BranchState::infeasible;
      branch.solver = provers(site);
      if (explored_.bounded > 0)
        branch.why = fmt::format("with loops of up to {} rounds", limits_.loop_bound);
    } else if (explored_.unanswered > 0) {
      branch.why = fmt::format("{} decisions could be neither turned nor settled", explored_.unanswered);
    } else if (unfinished_ > 0) {
      branch.why = "some runs did not end";
    } else if (stopped) {
      branch.why = "the budget was used up";
    }
    return branch;
  }

  // The solvers that proved that no run leaves the known paths at this site; or anywhere, if no path reaches it.
  std::string provers(uint32_t site) const {
    std::vector<std::string> names;
    for (const bool here : {true, false}) {
      for (const PathTree::Node& node : tree_.nodes())
        if ((!here || node.site == site) && !node.solver.empty() &&
            std::find(names.begin(), names.end(), node.solver) == names.end())
          names.push_back(node.solver);
      if (!names.empty())
        break;
    }
    std::sort(names.begin(), names.end());
    return names.empty() ? "exhaustion" : fmt::format("{}", fmt::join(names, ", "));
  }

  Evaluator& evaluator_;
  const Space& space_;
  const PathsLimits& limits_;
  numeric::Rng rng_;
  std::vector<constraint::InputRange> inputs_;
  PathTree tree_;
  Exploration explored_;
  std::optional<Ordinary> ordinary_; // if outcomes need everyday inputs
  uint64_t unfinished_ = 0;
  size_t bounds_raised_ = 0;
};

} // namespace

Exploration explore_paths(Evaluator& evaluator, const Space& space, const model::Target& target,
                          const PathsLimits& limits, numeric::Rng rng) {
  return Explorer(evaluator, space, target, limits, rng).run();
}

// The strategy `paths`: one candidate for each path of the target, so that code that samples never reach is judged as
// well.

constexpr size_t kept = 64; // candidates for the oracle: a guess

std::vector<Candidate> search_paths(Quest& quest) {
  PathsLimits limits;
  limits.every_path = true;
  const Exploration found =
      explore_paths(quest.evaluator, quest.space, quest.evaluator.session().target(), limits, quest.rng);
  Scorer scorer(quest, "paths");
  for (const ExploredPath& path : found.paths)
    scorer.keep(path.input, 0, scorer.score(path.input).error.relative);
  return scorer.best(kept, kept);
}

} // namespace faultline::search
