#include "search/ariadne/exception_board.h"

#include "exec/guard.h"

#include "tape/exceptions.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>

namespace faultline::search {

using ops::Exception;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Guesses.
constexpr uint32_t most_tiny_looks = 256; // at a place, as in judge/observations: each costs high precision
constexpr uint32_t most_unwanted = 8;     // times that a goal is raised and not used before it is given up
constexpr uint32_t most_executions = 64;  // of a site, in one run: the largest loop bound but none
constexpr uint32_t most_records = 1u << 20;
constexpr Exception kinds[] = {Exception::divide_by_zero, Exception::invalid, Exception::overflow,
                               Exception::underflow};
static_assert(std::size(kinds) == ops::exception_count);

bool lies_at_a_zero(const std::vector<goal::Trigger>& triggers) {
  return triggers.size() == 1 && std::ranges::any_of(triggers.front(), [](const goal::Condition& condition) {
           return condition.relation == goal::Relation::equal;
         });
}

// On which side of the crossing the run was.
int side(const std::vector<goal::Trigger>& triggers, const tape::Tape& tape, uint32_t record) {
  for (const goal::Condition& condition : triggers.front())
    if (condition.relation == goal::Relation::equal)
      return tape.exact(tape.operand(record, condition.operand)) < condition.value;
  return 0;
}

} // namespace

const ExceptionBoard::Nearest& ExceptionBoard::Goal::nearest() const {
  if (sides[0].input.empty())
    return sides[1];
  return !sides[1].input.empty() && sides[1].distance < sides[0].distance ? sides[1] : sides[0];
}

ExceptionBoard::ExceptionBoard(const runtime::SiteTable& table)
    : place_of_(table.sites.size()), places_(1), executions_(table.sites.size()) {
  std::map<std::tuple<std::string, int, int, ops::Op>, uint32_t> known;
  for (uint32_t site = runtime::first_program_site; site < table.sites.size(); ++site) {
    const runtime::Site& where = table.sites[site];
    const auto [found, fresh] = known.try_emplace({where.file, where.line, where.column, where.op}, places_.size());
    place_of_[site] = found->second;
    if (!fresh)
      continue;
    Place place{.first_goal = uint32_t(goals_.size())};
    for (const Exception kind : kinds) {
      std::vector<goal::Trigger> triggers = goal::triggers(where, kind);
      if (triggers.empty())
        continue;
      Goal& goal = goals_.emplace_back();
      goal.place = found->second;
      goal.kind = kind;
      goal.crossing = lies_at_a_zero(triggers);
      goal.least = infinity;
      triggers_.push_back(std::move(triggers));
    }
    place.goals = place.open = uint32_t(goals_.size()) - place.first_goal;
    places_.push_back(place);
  }
}

bool ExceptionBoard::watch(const exec::Input& input, const exec::Run& run, const tape::Tape& tape) {
  if (run.outcome == exec::Outcome::timed_out || run.outcome == exec::Outcome::out_of_memory ||
      run.outcome == exec::Outcome::killed || tape.size() > most_records)
    return false;
  const size_t before = seen_ + unconfirmed_ + places_reached_ + reached_cleanly_;
  const bool whole = run.outcome != exec::Outcome::tape_full;
  if ((run.flags & exec::exception_flags) || !whole)
    note_exceptions(input, tape, whole);
  note_distances(input, tape, whole);
  constexpr uint32_t fatal = exec::flag_overflow | exec::flag_invalid | exec::flag_divide_by_zero;
  if (!(run.flags & fatal) && whole)
    note_clean_places(tape);
  return seen_ + unconfirmed_ + places_reached_ + reached_cleanly_ > before;
}

void ExceptionBoard::note_exceptions(const exec::Input& input, const tape::Tape& tape, bool whole) {
  std::vector<bool> used;
  for (uint32_t index = 1; index < tape.size(); ++index) {
    if (!tape::may_be_exceptional(tape, index))
      continue;
    Place& place = places_[place_of_[tape.record(index).site]];
    if (place.open == 0)
      continue;
    const bool tiny = std::fabs(tape.value(index)) < 1 && !ops::is_to_int(tape.site(index).op);
    if (tiny && ++place.tiny_looks > most_tiny_looks)
      continue;
    const Exception kind = tape::exception_of(tape, index);
    if (kind == Exception::none)
      continue;
    for (uint32_t i = place.first_goal; i < place.first_goal + place.goals; ++i) {
      Goal& goal = goals_[i];
      if (goal.kind != kind || goal.seen || goal.unwanted >= most_unwanted || (!goal.unconfirmed.empty() && !whole))
        continue;
      if (whole && used.empty()) // unknown for a run that was cut short
        used = tape::used_records(tape);
      if (whole && !used[index]) {
        ++goal.unwanted;
        place.open -= goal.unwanted == most_unwanted;
        continue;
      }
      if (!whole) {
        goal.unconfirmed = input;
        ++unconfirmed_;
        continue;
      }
      goal.seen = true;
      ++seen_;
      --place.open;
    }
  }
}

void ExceptionBoard::note_distances(const exec::Input& input, const tape::Tape& tape, bool whole) {
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const uint32_t site = tape.record(index).site;
    Place& place = places_[place_of_[site]];
    if (place.open == 0 && place.reached)
      continue;
    if (!place.reached && place_of_[site] != 0) {
      place.reached = true;
      ++places_reached_;
    }
    if (place.open == 0)
      continue;
    if (executions_[site]++ == 0)
      touched_.push_back(site);
    if (executions_[site] > most_executions)
      continue;
    for (uint32_t i = place.first_goal; i < place.first_goal + place.goals; ++i)
      if (!goals_[i].seen)
        consider(goals_[i], input, tape, index, whole);
  }
  for (const uint32_t site : touched_)
    executions_[site] = 0;
  touched_.clear();
}

void ExceptionBoard::note_clean_places(const tape::Tape& tape) {
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (Place& place = places_[place_of_[tape.record(index).site]]; !place.clean) {
      place.clean = true;
      ++reached_cleanly_;
    }
}

void ExceptionBoard::consider(Goal& goal, const exec::Input& input, const tape::Tape& tape, uint32_t index,
                              bool whole) {
  const std::vector<goal::Trigger>& triggers = triggers_[size_t(&goal - goals_.data())];
  const double distance = goal::distance(triggers, tape, index);
  if (distance == infinity || (distance == 0 && !whole))
    return;
  goal.most = std::max(goal.most, distance);
  goal.least = std::min(goal.least, distance);
  Nearest& nearest = goal.sides[goal.crossing ? side(triggers, tape, index) : 0];
  if (nearest.input.empty() || distance < nearest.distance) {
    const uint32_t site = tape.record(index).site;
    nearest = {distance, input, executions_[site], site};
  }
}

std::vector<exec::Input> ExceptionBoard::unconfirmed_inputs() const {
  std::map<exec::Input, int> counts;
  for (const Goal& goal : goals_)
    if (!goal.seen && !goal.unconfirmed.empty())
      ++counts[goal.unconfirmed];
  std::vector<std::pair<int, exec::Input>> ranked;
  for (const auto& [input, count] : counts)
    ranked.emplace_back(-count, input);
  std::ranges::sort(ranked);
  std::vector<exec::Input> inputs;
  for (auto& [count, input] : ranked)
    inputs.push_back(std::move(input));
  return inputs;
}

double ExceptionBoard::distance(const Goal& goal, const tape::Tape& tape) const {
  const std::vector<goal::Trigger>& triggers = triggers_[size_t(&goal - goals_.data())];
  double least = infinity;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (place_of_[tape.record(index).site] == goal.place)
      least = std::min(least, goal::distance(triggers, tape, index));
  return least;
}

} // namespace faultline::search
