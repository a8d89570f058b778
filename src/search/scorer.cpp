#include "search/scorer.h"

#include "base/clock.h"
#include "numeric/bigfloat.h"
#include "tape/path.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace faultline::search {

using numeric::Int128;

namespace {

// Guesses; `bench_estimate` (of `make bench`) shows how many candidates are corrected.
constexpr uint64_t most_probes = 2048;    // runs per search
constexpr uint64_t allowance = 1'000'000; // per search, in records: some milliseconds
constexpr uint64_t replay_cost = 64;      // per record, relative to recording it
constexpr size_t most_decisions = 1024;   // per path worth finding
constexpr int most_turns = 6;             // changes of path for one input
constexpr long fraction_bits = 192;       // of a replay, in addition to those of its largest integer part
constexpr int most_binades = 64;          // that an input is moved down in search of another path

// Up and down by each power of four below the 2^52 floats of a binade of binary64.
constexpr int near_steps = 52;

using Path = std::vector<runtime::Decision>;

Path decisions(const tape::Tape& tape) {
  Path path;
  for (const tape::Branch& branch : tape::path(tape))
    path.push_back({branch.site, branch.outcome});
  return path;
}

bool same(const runtime::Decision& a, const runtime::Decision& b) { return a.site == b.site && a.outcome == b.outcome; }

bool begins_with(const Path& path, const Path& wanted) {
  return path.size() >= wanted.size() && std::equal(wanted.begin(), wanted.end(), path.begin(), same);
}

// The decisions of this tape up to the first that flips, which is included with its correct outcome.
Path up_to_flip(const tape::Tape& tape, const tape::Replay& replay) {
  Path path;
  for (const tape::Branch& branch : tape::path(tape)) {
    if (branch.record == replay.flips.front()) {
      path.push_back({branch.site, replay.decided.front()});
      break;
    }
    path.push_back({branch.site, branch.outcome});
  }
  return path;
}

long precision_for(const tape::Tape& tape) {
  int largest = 0;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (const Value value = tape.exact(index); value != 0 && std::isfinite(value))
      largest = std::max(largest, std::ilogb(value));
  return fraction_bits + largest;
}

// Another value of the dimension: first near ones, by powers of four up to a binade, then down through the binades,
// where code that reduces its argument takes many paths. Nothing when these are exhausted.
std::optional<Value> other_value(const Dimension& dimension, Value value, int step) {
  if (step >= near_steps + most_binades)
    return std::nullopt;
  if (step >= near_steps)
    return dimension.nearest(std::ldexp(value, -(step - near_steps + 1)));
  const Int128 here = dimension.order(value), distance = Int128(1) << (step & ~1);
  const Int128 there = step % 2 ? here - distance : here + distance;
  const bool inside = there >= dimension.order(dimension.low) && there <= dimension.order(dimension.high);
  return inside ? dimension.at(there) : value;
}

// True if this path makes the last of the wanted decisions correctly, whatever came before.
bool decides_like_last(const Path& path, const Path& wanted) {
  const runtime::Decision& last = wanted.back();
  auto of_site = [&](const runtime::Decision& decision) { return decision.site == last.site; };
  auto times = std::count_if(wanted.begin(), wanted.end(), of_site);
  for (const runtime::Decision& decision : path)
    if (of_site(decision) && --times == 0)
      return decision.outcome == last.outcome;
  return false;
}

bool better(const Candidate& a, const Candidate& b) {
  return a.score != b.score ? a.score > b.score : a.input < b.input;
}

// Guesses.
constexpr size_t most_over_claim = 16; // candidates for the oracle that exceed a claim
constexpr double worth_a_look = 3;     // times a claim: less than --bound-factor's 10, as estimates are inexact
constexpr size_t most_kept = 4096;     // scored inputs: more than any strategy returns
// The smallest error for which a wrong path is searched: the bound of bench_estimate
constexpr double worth_it = 1e-10;

// Sorts the candidates, best first, and keeps each input once.
void sort_once(std::vector<Candidate>& candidates) {
  std::sort(candidates.begin(), candidates.end(), better);
  const auto copies = std::ranges::unique(candidates, {}, &Candidate::input);
  candidates.erase(copies.begin(), copies.end());
}

// The list may grow for a while before it is cut.
void keep_best(std::vector<Candidate>& candidates, size_t most) {
  if (candidates.size() < 2 * most)
    return;
  std::partial_sort(candidates.begin(), candidates.begin() + ptrdiff_t(most), candidates.end(), better);
  candidates.resize(most);
}

} // namespace

bool ExactPaths::spent() const { return cost_ >= allowance || quest_.evaluator.spent(); }

// Nothing if the run did not return or exceeds the limit.
std::optional<tape::Tape> ExactPaths::run(const exec::Input& input) {
  if (spent())
    return std::nullopt;
  const tape::Tape tape = quest_.evaluator.run(input);
  cost_ += tape.size();
  return quest_.evaluator.usable() ? std::optional(tape) : std::nullopt;
}

std::optional<tape::Replay> ExactPaths::replayed(const tape::Tape& tape, const exec::Input& input) {
  try {
    return tape::replay(tape, precision_for(tape), input);
  } catch (const base::TimeLimitExceeded&) {
    quest_.evaluator.break_off();
    return std::nullopt;
  }
}

std::optional<double> ExactPaths::error(const exec::Input& input) {
  std::optional<tape::Tape> tape = run(input);
  if (!tape)
    return std::nullopt;
  auto charge = [&](uint64_t records) {
    cost_ += records;
    quest_.evaluator.charge(records);
  };
  charge(sweep_cost * tape->size());
  if (!residues_.doubt_path(*tape))
    return std::nullopt;
  const std::vector<exec::OutputValue> computed(tape->outputs().begin(), tape->outputs().end());
  exec::Input start = input;
  for (int turn = 0; turn < most_turns && tape && !spent(); ++turn) {
    charge(replay_cost * tape->size());
    const std::optional<tape::Replay> replay = replayed(*tape, input);
    if (!replay)
      return std::nullopt;
    if (replay->flips.empty())
      return measured(computed, *tape, *replay);
    const Path wanted = up_to_flip(*tape, *replay);
    const exec::Input* other = wanted.size() <= most_decisions ? run_along(wanted, input, start) : nullptr;
    if (!other)
      return std::nullopt;
    start = *other;
    tape = run(start);
  }
  return std::nullopt;
}

const exec::Input* ExactPaths::run_along(const Path& wanted, const exec::Input& input, const exec::Input& start) {
  for (const KnownPath& known : known_)
    if (begins_with(known.path, wanted))
      return &known.input;
  if (start != input && cross(wanted, Line::between(quest_.space, start, input)))
    return &known_.back().input;
  return scatter(wanted, input) ? &known_.back().input : nullptr;
}

bool ExactPaths::scatter(const Path& wanted, const exec::Input& input) {
  const std::vector<size_t> floats = quest_.space.free_floats(); // integers alone leave nothing to try
  exec::Input probe = input;
  for (int step = 0; !floats.empty(); ++step)
    for (const size_t d : floats) {
      const std::optional<Value> value = other_value(quest_.space.dimensions[d], input[d], step);
      if (!value || spent() || probes_ >= most_probes)
        return false;
      probe[d] = *value;
      if (probe != input && learn(probe, wanted))
        return true;
      probe[d] = input[d];
    }
  return false;
}

// The last decision is wrong at the start of the line and right at its end, possibly on another path. Near the place
// where it changes, on the right side, the other decisions are most likely those of the start.
bool ExactPaths::cross(const Path& wanted, const Line& line) {
  Int128 wrong = 0, right = line.length();
  auto look = [&](Int128 position) { return learn(line.at(position), wanted); };
  while (right - wrong > 1) {
    if (spent() || probes_ >= most_probes)
      return false;
    const Int128 middle = wrong + (right - wrong) / 2;
    if (look(middle))
      return true;
    (decides_like_last(last_, wanted) ? right : wrong) = middle;
  }
  for (Int128 distance = 1; right + distance < line.length(); distance *= 2) {
    if (spent() || probes_ >= most_probes)
      return false;
    if (look(right + distance))
      return true;
  }
  return false;
}

// Runs the probe and adds its path if that is new. True if it is the wanted path.
bool ExactPaths::learn(const exec::Input& probe, const Path& wanted) {
  ++probes_;
  last_.clear();
  const std::optional<tape::Tape> tape = run(probe);
  if (!tape)
    return false;
  last_ = decisions(*tape);
  if (last_.size() > most_decisions)
    return false;
  for (const KnownPath& known : known_)
    if (known.path.size() == last_.size() && begins_with(known.path, last_))
      return false;
  known_.push_back({probe, last_});
  return begins_with(last_, wanted);
}

std::optional<double> ExactPaths::measured(const std::vector<exec::OutputValue>& computed, const tape::Tape& tape,
                                           const tape::Replay& replay) const {
  double worst = 0;
  for (size_t output : quest_.outputs) {
    const uint32_t record = tape.outputs()[output].record;
    const Value value = computed[output].value;
    if (record == 0 || computed[output].record == 0)
      return std::nullopt;
    const numeric::BigFloat& exact = replay.values[record];
    const numeric::Format format = tape.site(record).format;
    if (!std::isfinite(value) || !exact.is_finite() || numeric::ulp_error(value, exact, format) <= 1 ||
        !(numeric::absolute_error(value, exact) > numeric::smallest_normal(format)))
      continue;
    worst = std::max(worst, std::min(numeric::relative_error(value, exact), largest_score));
  }
  return worst;
}

tape::EstimatedError Scorer::error(const tape::Tape& tape) {
  quest_.evaluator.charge(sweep_cost * tape.size());
  tape::EstimatedError error = tape::estimated_error(tape, quest_.outputs, residues_, quest_.claims);
  if (quest_.counted_in == ErrorMeasure::absolute) // the measure that strategies compare
    error.relative = error.absolute;
  return error;
}

Scorer::Scored Scorer::score(const exec::Input& input) {
  tape::Tape tape = run(input);
  if (!usable())
    return {tape, false, {}};
  const tape::EstimatedError found = error(tape);
  if (found.over_claim > worth_a_look) {
    over_claim_.push_back({input, 0, found.over_claim, strategy_});
    keep_best(over_claim_, most_over_claim);
  }
  return {tape, true, found};
}

uint64_t Scorer::affordable() const {
  const Evaluator& evaluator = quest_.evaluator;
  const uint64_t left = limit_ - std::min(limit_, evaluator.records());
  const uint64_t cost = evaluator.records() / std::max<uint64_t>(evaluator.evaluations(), 1) + 1;
  return std::min(left / cost, evaluator.evaluations_left().value_or(~uint64_t(0)));
}

void Scorer::keep(const exec::Input& input, uint32_t site, double error) {
  if (!(error > 0))
    return;
  if (error > largest_ && error > quest_.threshold && quest_.on_promising)
    quest_.on_promising(input, error);
  largest_ = std::max(largest_, error);
  kept_.push_back({input, site, error, strategy_});
  keep_best(kept_, most_kept);
}

void Scorer::insist(const exec::Input& input, uint32_t site, double error) {
  if (error > 0)
    insisted_.push_back({input, site, error, strategy_});
}

std::vector<Candidate> Scorer::best_so_far(size_t most) const {
  std::vector<Candidate> best = kept_;
  most = std::min(most, best.size());
  std::partial_sort(best.begin(), best.begin() + ptrdiff_t(most), best.end(), better);
  best.resize(most);
  return best;
}

// Corrects the residues' errors of runs on the wrong path where possible. A candidate remains one, whatever its score.
void Scorer::correct_errors(std::vector<Candidate>& candidates) {
  for (Candidate& candidate : candidates)
    if (candidate.score > worth_it)
      if (const std::optional<double> error = exact_paths_.error(candidate.input))
        candidate.score = std::max(*error, least_score);
}

std::vector<Candidate> Scorer::best(size_t most, size_t most_of_a_site) {
  sort_once(kept_);
  std::map<uint32_t, size_t> of_site;
  most -= std::min(most, insisted_.size());
  std::vector<Candidate> chosen, rest;
  for (Candidate& candidate : kept_)
    (of_site[candidate.site]++ < most_of_a_site ? chosen : rest).push_back(std::move(candidate));
  kept_.clear();
  if (chosen.size() > most)
    chosen.resize(most);
  for (Candidate& candidate : rest)
    if (chosen.size() < most)
      chosen.push_back(std::move(candidate));
  correct_errors(chosen);
  correct_errors(insisted_);
  std::sort(over_claim_.begin(), over_claim_.end(), better);
  over_claim_.resize(std::min(over_claim_.size(), most_over_claim));
  for (std::vector<Candidate>* list : {&insisted_, &over_claim_}) {
    std::move(list->begin(), list->end(), std::back_inserter(chosen));
    list->clear();
  }
  sort_once(chosen);
  return chosen;
}

} // namespace faultline::search
