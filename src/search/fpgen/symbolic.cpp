#include "search/fpgen/symbolic.h"

#include "constraint/evaluate.h"
#include "search/fpgen/cancelling.h"
#include "search/space.h"
#include "solve/solver.h"

#include <algorithm>
#include <tuple>

namespace faultline::search {

using constraint::Large;
using constraint::Leaves;
using constraint::Left;
using constraint::PathCondition;
using goal::Check;
using solve::Answer;

namespace {

// Guesses; `faultline bench fpgen` shows what they find.
constexpr size_t most_goals = 4;       // per combination
constexpr size_t most_known = 8192;    // combinations
constexpr size_t most_extensions = 12; // per combination
constexpr int tiers_a_level = 2;       // levels lost by an unanswered combination

CombinedGoal loss(size_t check, Large large) { return {check, Check::precision_loss, large, Left::anything}; }
CombinedGoal cancellation(size_t check, Left left) { return {check, Check::cancellation, Large::first, left}; }

} // namespace

Combinations::Combinations(size_t checks, int levels) : levels_(levels) {
  for (size_t check = checks; check-- > 0;)
    add({cancellation(check, Left::something)}, {}, 0);
  for (size_t check = 0; check < checks; ++check)
    for (const Large large : {Large::first, Large::second})
      add({loss(check, large)}, {}, 0);
}

void Combinations::add(std::vector<CombinedGoal> goals, const NearInput& near, int tier) {
  std::ranges::sort(goals);
  if (known_.size() < most_known && !is_refuted(goals) && known_.insert(goals).second)
    queue_.push({tier, number_++, {std::move(goals), 0, near}});
}

bool Combinations::is_refuted(const std::vector<CombinedGoal>& goals) const {
  return std::ranges::any_of(refuted_,
                             [&](const std::vector<CombinedGoal>& none) { return std::ranges::includes(goals, none); });
}

std::optional<Combination> Combinations::next() {
  while (!queue_.empty()) {
    Combination combination = queue_.top().combination;
    queue_.pop();
    if (!is_refuted(combination.goals))
      return combination;
  }
  return std::nullopt;
}

void Combinations::solved(const Combination& combination, const exec::Input& input) {
  const auto near = std::make_shared<const exec::Input>(input);
  if (combination.goals.size() == 1)
    pair_up(combination.goals.front(), near);
  else
    extend(combination, near);
}

// Pairs a loss with a later cancellation.
void Combinations::pair_up(const CombinedGoal& goal, const NearInput& near) {
  constexpr int tier = 1;
  if (goal.kind == Check::precision_loss) {
    losses_.push_back(goal);
    for (const CombinedGoal& after : cancellations_)
      if (after.check > goal.check)
        add({goal, after}, near, tier);
    return;
  }
  cancellations_.push_back(goal);
  for (const CombinedGoal& before : losses_)
    if (before.check < goal.check)
      add({before, goal}, near, tier);
}

void Combinations::extend(const Combination& combination, const NearInput& near) {
  const int tier = int(combination.goals.size());
  if (tier == 2 && combination.goals.back().left == Left::something)
    add({combination.goals.front(), cancellation(combination.goals.back().check, Left::nothing)}, near, tier);
  if (combination.goals.size() >= most_goals)
    return;
  size_t added = 0;
  const auto with = [&](const CombinedGoal& goal) {
    const bool outside = goal.check > combination.goals.back().check || goal.check < combination.goals.front().check;
    if (!outside || added++ >= most_extensions)
      return;
    std::vector<CombinedGoal> more = combination.goals;
    more.push_back(goal);
    add(std::move(more), near, tier);
  };
  for (const CombinedGoal& goal : cancellations_)
    if (goal.check > combination.goals.back().check)
      with(goal);
  for (const CombinedGoal& goal : losses_)
    with(goal);
}

void Combinations::refuted(const Combination& combination) {
  refuted_.push_back(combination.goals);
  leave_nothing(combination);
}

void Combinations::leave_nothing(const Combination& combination) {
  const CombinedGoal& goal = combination.goals.front();
  if (combination.goals.size() == 1 && goal.left == Left::something)
    add({cancellation(goal.check, Left::nothing)}, {}, 0);
}

bool Combinations::unanswered(Combination combination) {
  if (++combination.level >= levels_) {
    leave_nothing(combination);
    return false;
  }
  const int tier = int(combination.goals.size()) - 1 + tiers_a_level * combination.level;
  queue_.push({tier, number_++, std::move(combination)});
  return true;
}

namespace {

// All of these are guesses, where the paper has time limits (tau_0, tau_1); `faultline bench fpgen` shows what they
// find.

// Limits of a solver for one question (solve::Question). At first only the quick ones: most questions are easy.
constexpr uint64_t efforts[] = {1'000, 6'000, 40'000};
constexpr int levels = int(std::size(efforts)), quick_levels = 2;
constexpr double question_seconds = 5; // the emergency limit for one question
constexpr uint64_t questions_a_round = 256, most_rounds = 64;
constexpr uint64_t most_doublings = 4;      // of the last level's effort: one per turn of all groups
constexpr uint64_t too_many_unanswered = 8; // in a round, if they outnumber the solved ones
constexpr int fruitless_rounds = 8;         // consecutive rounds that end the search
constexpr int other_runs = 64;              // to find a longer path

// The cost of a question in records: the solvers' effort, and the circuit that `bits` makes of the terms. Quotients
// make large circuits, on which every step is slow. An answer may come early or late, so it counts as a quarter.
constexpr uint64_t an_effort = 100, a_term = 50'000, a_quick_term = 2'000, most_quotients = 4, answered_part = 4;
uint64_t cost_of(int level, uint64_t effort, const constraint::System& system, bool answered) {
  const auto quotients = uint64_t(std::ranges::count(system.nodes(), ops::Op::fdiv, &constraint::Node::op));
  const uint64_t slow = level < quick_levels ? 1 : 1 + std::min(quotients, most_quotients);
  const uint64_t all = effort * an_effort * slow + system.size() * (level < quick_levels ? a_quick_term : a_term);
  return answered ? all / answered_part : all;
}

class Symbolic {
public:
  Symbolic(Quest& quest, const exec::Input& base, double share, const std::function<void(const exec::Input&)>& found)
      : quest_(quest), base_(base), share_(share), found_(found), rng_(quest.rng.fork("symbolic")),
        all_ranges_(input_ranges(quest.space, quest.evaluator.session().target())) {}

  SymbolicOutcome run() {
    if (!add_base(base_))
      return outcome_;
    const size_t own = scenes_.size();
    if (const auto longer = longer_path()) {
      add_base(*longer);
      std::ranges::rotate(scenes_, scenes_.begin() + long(own));
    }
    for (const Scene& scene : scenes_)
      outcome_.goals = std::max(outcome_.goals, 2 * uint64_t(scene.path->checks.size()));
    rounds();
    outcome_.reached = reached_.size();
    return outcome_;
  }

private:
  enum class End { through, timed_out };

  // A path, given by an input that takes it.
  struct Path {
    exec::Input base;
    std::vector<tape::Addition> checks;
    std::vector<numeric::Format> formats; // of the checks
    OperandGroups groups;
  };
  // Rounds alternate between scenes: a path and a group of inputs, some of them free.
  struct Scene {
    std::shared_ptr<const Path> path;
    std::vector<size_t> group, symbolic;
  };

  bool add_base(const exec::Input& base) {
    const tape::Tape tape = quest_.evaluator.run(base);
    if (!quest_.evaluator.usable())
      return false;
    Path path{base, checked_additions(quest_.checks, tape), {}, operand_groups(tape, quest_.space)};
    for (const tape::Addition& check : path.checks)
      path.formats.push_back(tape.site(check.record).format);
    if (path.checks.empty())
      return true;
    const auto shared = std::make_shared<const Path>(std::move(path));
    for (const std::vector<size_t>& group : {shared->groups.smaller, shared->groups.larger})
      if (!group.empty())
        scenes_.push_back({shared, group, group});
    return true;
  }

  // Looks for a longer path among random inputs: where conditions skip updates, the base input may have skipped most.
  std::optional<exec::Input> longer_path() {
    size_t most = scenes_.empty() ? 0 : scenes_.front().path->checks.size();
    std::optional<exec::Input> longest;
    for (int i = 0; i < other_runs && !spent(); ++i) {
      const exec::Input input = i % 2 ? quest_.space.sample_floats(rng_) : quest_.space.sample_reals(rng_);
      const tape::Tape tape = quest_.evaluator.run(input);
      if (!quest_.evaluator.usable())
        continue;
      if (const size_t checks = checked_additions(quest_.checks, tape).size(); checks > most) {
        most = checks;
        longest = input;
      }
    }
    return longest;
  }

  void rounds() {
    int fruitless = 0;
    while (!scenes_.empty() && outcome_.rounds < most_rounds && fruitless < fruitless_rounds && !spent()) {
      Scene& scene = scenes_[outcome_.rounds % scenes_.size()];
      const size_t before = inputs_.size();
      const End end = round(scene);
      fruitless = inputs_.size() > before ? 0 : fruitless + 1;
      const size_t now = scene.symbolic.size(), all = scene.group.size();
      if (end == End::timed_out)
        scene.symbolic = drawn(scene.symbolic, now / 2);
      else
        scene.symbolic = drawn(scene.group, now == all ? (all + 1) / 2 : std::min(2 * now, all));
    }
  }

  // Draws `count` of the inputs and keeps their order.
  std::vector<size_t> drawn(std::vector<size_t> inputs, size_t count) {
    for (size_t i = 0; i + 1 < inputs.size(); ++i)
      std::swap(inputs[i], inputs[i + rng_.below(inputs.size() - i)]);
    inputs.resize(std::max(count, size_t(1)));
    std::ranges::sort(inputs);
    return inputs;
  }

  End round(const Scene& scene) {
    ++outcome_.rounds;
    path_ = scene.path.get();
    ranges_ = all_ranges_;
    for (size_t i = 0; i < ranges_.size(); ++i)
      if (std::ranges::find(scene.symbolic, i) == scene.symbolic.end())
        ranges_[i].low = ranges_[i].high = path_->base[i];
    Combinations combinations(path_->checks.size(), levels);
    const uint64_t asked = outcome_.asked, solved = outcome_.solved, timed_out = outcome_.timed_out;
    while (!spent() && outcome_.asked - asked < questions_a_round) {
      const std::optional<Combination> next = combinations.next();
      if (!next)
        break;
      work_on(combinations, *next);
      if (const uint64_t lost = outcome_.timed_out - timed_out;
          lost >= too_many_unanswered && lost > outcome_.solved - solved)
        return End::timed_out;
    }
    return outcome_.timed_out > timed_out && outcome_.solved == solved ? End::timed_out : End::through;
  }

  void work_on(Combinations& combinations, const Combination& combination) {
    exec::Input input;
    switch (ask(combination, input)) {
    case Answer::sat:
      ++outcome_.solved;
      combinations.solved(combination, input);
      confirm(combination, input);
      if (inputs_.insert(input).second)
        found_(input);
      break;
    case Answer::unsat:
      ++outcome_.refuted;
      combinations.refuted(combination);
      break;
    case Answer::unknown:
      outcome_.timed_out += !combinations.unanswered(combination);
      break;
    }
  }

  goal::Inaccuracy goal_of(const CombinedGoal& goal) const {
    const tape::Addition& check = path_->checks[goal.check];
    return {goal.kind, check.place, check.execution, quest_.checks.bits(goal.kind, path_->formats[goal.check])};
  }

  // The run decides: values that the tape does not follow may have changed.
  void confirm(const Combination& combination, const exec::Input& input) {
    const tape::Tape tape = quest_.evaluator.run(input);
    for (const CombinedGoal& goal : combination.goals)
      if (const goal::Inaccuracy wanted = goal_of(goal); goal::happened(wanted, tape))
        reached_.insert({wanted.place, wanted.execution, wanted.check});
  }

  std::optional<PathCondition> condition_of(const Combination& combination) {
    const tape::Tape tape = quest_.evaluator.run(path_->base); // a later run replaced its tape
    std::vector<constraint::WantedInaccuracy> wanted;
    for (const CombinedGoal& goal : combination.goals)
      wanted.push_back({goal_of(goal), goal.large, goal.left});
    return constraint::inaccuracy_condition(tape, wanted, ranges_, Leaves::as_they_were);
  }

  // True if an assertion that does not depend on the free inputs fails.
  static bool is_false(const constraint::System& system) {
    return std::ranges::any_of(system.assertions(), [&](constraint::Term term) {
      return system.node(term).form == constraint::Form::constant && system.node(term).value == 0;
    });
  }

  Answer ask(const Combination& combination, exec::Input& input) {
    const std::optional<PathCondition> condition = condition_of(combination);
    if (!condition)
      return Answer::unknown;
    if (is_false(condition->system))
      return Answer::unsat;
    ++outcome_.asked;
    solve::Question question{condition->system, std::min(question_seconds, quest_.evaluator.seconds_left(share_)),
                             rng_.next()};
    question.effort = effort(combination.level);
    question.in_process = true;
    if (combination.near)
      question.near.push_back(constraint::model_of(*condition, ranges_, *combination.near));
    question.near.push_back(constraint::model_of(*condition, ranges_, path_->base));
    const solve::Result result = answer(question, combination.level);
    const uint64_t cost =
        cost_of(combination.level, question.effort, condition->system, result.answer != Answer::unknown);
    quest_.evaluator.charge(cost);
    cost_ += cost;
    if (result.answer == Answer::sat) {
      ++outcome_.by_solver[result.solver];
      input = quest_.space.with_own_values(constraint::input_of(*condition, ranges_, result.model, path_->base));
    }
    return result.answer;
  }

  uint64_t effort(int level) const {
    const uint64_t turn = (outcome_.rounds - 1) / scenes_.size();
    return efforts[level] << (level == levels - 1 ? std::min(turn, most_doublings) : 0);
  }

  static solve::Result answer(const solve::Question& question, int level) {
    if (level >= quick_levels)
      return solve::solve(*solve::find_solver("portfolio"), question);
    const solve::Result result = solve::solve(*solve::find_solver("interval"), question);
    return result.answer == Answer::unknown ? solve::solve(*solve::find_solver("newton"), question) : result;
  }

  // Questions have a limit of their own, since records are not limited where evaluations are counted.
  bool spent() const {
    return quest_.evaluator.spent(share_) || quest_.evaluator.seconds_left(share_) <= 0 ||
           double(cost_) >= share_ * double(Budget().records);
  }

  Quest& quest_;
  const exec::Input base_;
  double share_;
  const std::function<void(const exec::Input&)>& found_;
  numeric::Rng rng_;
  const std::vector<constraint::InputRange> all_ranges_;
  std::vector<Scene> scenes_;
  const Path* path_ = nullptr;                 // in this round
  std::vector<constraint::InputRange> ranges_; // in this round
  std::set<std::tuple<uint32_t, uint32_t, goal::Check>> reached_;
  std::set<exec::Input> inputs_; // the inputs found
  uint64_t cost_ = 0;            // of all questions, in records
  SymbolicOutcome outcome_;
};

} // namespace

SymbolicOutcome solve_for_inaccuracy(Quest& quest, const exec::Input& base, double share,
                                     const std::function<void(const exec::Input&)>& found) {
  return Symbolic(quest, base, share, found).run();
}

} // namespace faultline::search
