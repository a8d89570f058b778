#include "search/strategy.h"

#include "base/error.h"
#include "search/climb.h"
#include "search/domain.h"
#include "search/line.h"
#include "search/scorer.h"
#include "tape/intended.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <numeric>

namespace faultline::search {

using numeric::Int128;

void look_for_intended_roundings(exec::Session& session, const Space& space, const Space& everyday, numeric::Rng rng) {
  constexpr int looks = 16; // a guess: they cost almost nothing, and most inputs go to argument reductions
  constexpr uint64_t most_records = 1u << 14;
  for (int i = 0; i < looks; ++i) {
    const exec::Input input = i % 4 == 3 ? space.sample_floats(rng) : everyday.sample_floats(rng);
    const exec::Run& run = session.run_briefly(input, most_records);
    if (run.outcome != exec::Outcome::returned)
      return;
    tape::note_intended_roundings(session, tape::Tape(run, session.sites(), input.size()));
  }
}

// Candidates for the oracle, the largest errors and random ones: guesses.
constexpr size_t kept = 64, most_shown = 32;

std::optional<uint64_t> number_of_inputs(const Space& space) {
  uint64_t number = 1;
  for (const Dimension& dimension : space.dimensions) {
    const Int128 values = dimension.order(dimension.high) - dimension.order(dimension.low) + 1;
    if (values < 1 || values > Int128(few_inputs / number))
      return std::nullopt;
    number *= uint64_t(values);
  }
  return number;
}

exec::Input input_of_number(const Space& space, uint64_t n) {
  exec::Input input;
  for (const Dimension& dimension : space.dimensions) {
    const Int128 low = dimension.order(dimension.low);
    const auto values = uint64_t(dimension.order(dimension.high) - low + 1);
    input.push_back(dimension.at(low + Int128(n % values)));
    n /= values;
  }
  return input;
}

std::vector<Candidate> try_all_inputs(Quest& quest) {
  const uint64_t number = number_of_inputs(quest.space).value_or(0);
  std::vector<uint64_t> order(number);
  std::iota(order.begin(), order.end(), 0);
  for (uint64_t i = number; i > 1; --i)
    std::swap(order[i - 1], order[quest.rng.below(i)]);
  Scorer scorer(quest, "exhaustive");
  size_t shown = 0;
  for (const uint64_t n : order) {
    if (scorer.spent())
      break;
    const exec::Input input = input_of_number(quest.space, n);
    if (!quest.space.allows(input))
      continue;
    const Scorer::Scored scored = scorer.score(input);
    scorer.keep(input, 0, scored.error.relative);
    if (scored.usable && ++shown <= most_shown)
      scorer.insist(input, 0, std::max(scored.error.relative, least_score));
  }
  return scorer.best(kept + most_shown, kept + most_shown);
}

Quest Quest::within(const Space& other, Part which) const {
  Quest quest(evaluator, other, outputs, rng.fork(which == Part::everyday ? "everyday" : "rest"), *this);
  quest.part = which;
  quest.everyday = nullptr;
  return quest;
}

const std::vector<NamedStrategy>& strategies() {
  static const std::vector<NamedStrategy> all = {
      {"auto", search_auto, "brackets first, then samples from everywhere and evolution"},
      {"bracket", search_bracket, "danger zones bracketed and bisected to the last float, scored without an oracle"},
      {"random", search_random, "uniform sampling, scored by the residues' estimate of the error"},
      {"ga", search_ga, "a standard genetic algorithm on bits, guided by the measured error (control of ICSE 2015)"},
      {"lsga", search_lsga, "evolution of exponents, random significands, guided by the measured error (ICSE 2015)"},
      {"fpgen", search_fpgen, "many inputs: solved for cancellation, refined on the true error (ICSE 2020)"},
      {"s3fp", search_s3fp, "halving of ranges towards the larger measured error (PPoPP 2014)"},
      {"demc", search_demc, "differential evolution, then Markov chains, guided by the measured error (POPL 2019)"},
      {"atomu", search_atomu, "evolution towards large atomic conditions (POPL 2020)"},
      {"ariadne", search_ariadne,
       "exceptions, wherever an operation can raise one: sampled, approached, solved (POPL 2013)"},
      {"paths", search_paths, "one input for each path, found by solving path conditions (ICST 2013)"},
  };
  return all;
}

const NamedStrategy* find_strategy(const std::string& name) {
  for (const NamedStrategy& strategy : strategies())
    if (name == strategy.name)
      return &strategy;
  return nullptr;
}

std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const NamedStrategy& strategy : strategies())
    names.emplace_back(strategy.name);
  return names;
}

void check_strategy(const std::string& name) {
  if (!find_strategy(name))
    throw base::UserError(base::status_usage, fmt::format("--strategy {}: there is no such strategy", name),
                          fmt::format("one of {}", fmt::join(strategy_names(), ", ")));
}

std::vector<Candidate> search(const NamedStrategy& strategy, Quest& quest) {
  const std::optional<uint64_t> inputs = number_of_inputs(quest.space);
  const bool few = inputs && *inputs >= 2; // strategies handle a single input
  std::vector<Candidate> candidates = few ? try_all_inputs(quest) : strategy.run(quest);
  if (few && quest.climbs)
    std::ranges::move(climb(quest), std::back_inserter(candidates));
  if (quest.space.legality) // the evaluator ran the legal inputs for these
    for (Candidate& candidate : candidates)
      candidate.input = quest.space.legal(std::move(candidate.input));
  return candidates;
}

// The default portfolio, first for everyday inputs (search/space.h), then for the rest. Brackets come first: they find
// most and cost almost nothing. The rest of the budget goes to searches that need no danger function: samples from
// everywhere, scored by their residues, and, with several inputs, evolution towards large conditions, since lines cover
// less of such a space. With more than a few inputs most of the time goes to FPGen's search, the only one for arrays.
// Exceptions, if wanted, have a separate search, Ariadne's. A number of evaluations that the user gave is used
// completely, in rounds that begin with brackets and use different samples. If small errors count, the rest goes to a
// climb to the largest (search/climb.h).

namespace {

constexpr uint64_t unlimited = Evaluator::Allowance::unlimited;

// The limits of the parts. The first three were last tuned with `faultline bench gsl --compare none` (figures in
// docs/gsl.md).
struct Allotment {
  uint64_t evaluations, records;
};
constexpr Allotment one_input{300, 1'500'000}, several_inputs{2'000, 4'000'000}, evolution{6'000, 6'000'000};
constexpr Allotment arrays{unlimited, 120'000'000};        // one or two seconds: a guess
constexpr Allotment everyday_exceptions{3'000, 3'000'000}; // a guess, like the next
constexpr double everyday_share = 0.5;                     // of the time
constexpr uint64_t before_climb = 4;                       // the part of the time and of the count: a guess

// Guesses.
constexpr auto a_few = 3;               // float inputs: a target with more is array code, for FPGen's search
constexpr uint64_t exceptions_part = 4; // of the evaluations that the user gave
constexpr size_t most_bracketed = 128;  // candidates: each costs oracle time
constexpr double most_times_more = 1e6; // the largest scale, relative to the default number of records

// Scales with the budget.
uint64_t records_for_arrays(const Evaluator& evaluator) {
  const double times = evaluator.seconds_allowed() / Budget().seconds;
  return uint64_t(double(arrays.records) * std::clamp(times, 1.0, most_times_more));
}

void add(std::vector<Candidate>& all, std::vector<Candidate> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void keep_largest(std::vector<Candidate>& candidates, size_t most) {
  if (candidates.size() <= most)
    return;
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.input < b.input;
  });
  candidates.resize(most);
}

// Searches everyday inputs briefly: most exceptions are elsewhere.
std::vector<Candidate> search_exceptions(Quest& quest) {
  const Allotment allotment = quest.part == Part::everyday ? everyday_exceptions : Allotment{unlimited, unlimited};
  const Evaluator::Allowance allowance(quest.evaluator, allotment.evaluations, allotment.records);
  return search_ariadne(quest);
}

std::vector<Candidate> search_part(Quest& quest) {
  if (!quest.errors_wanted && quest.exceptions_wanted)
    return search_exceptions(quest);
  const uint64_t parts = quest.part == Part::whole ? 1 : 2;
  const auto free = std::count_if(quest.space.dimensions.begin(), quest.space.dimensions.end(),
                                  [](const Dimension& dimension) { return !dimension.held(); });
  const auto floats = std::count_if(quest.space.dimensions.begin(), quest.space.dimensions.end(),
                                    [](const Dimension& dimension) { return dimension.floating && !dimension.held(); });
  std::vector<Candidate> bracketed = search_bracket(quest);
  if (free == 0)
    return bracketed;
  std::vector<Candidate> others;
  {
    const Allotment allotment = free > 1 ? several_inputs : one_input;
    const Evaluator::Allowance allowance(quest.evaluator, allotment.evaluations / parts, allotment.records / parts);
    others = sample_at_random(quest, allotment.evaluations / parts, 1, "random");
  }
  if (quest.exceptions_wanted) {
    const Evaluator::Allowance allowance(
        quest.evaluator, quest.use_all ? quest.evaluator.evaluations_left().value_or(0) / exceptions_part : unlimited,
        unlimited);
    search_exceptions(quest);
  }
  if (free > 1 || quest.use_all) {
    const uint64_t half = quest.evaluator.evaluations_left().value_or(0) / 2;
    const Evaluator::Allowance allowance(
        quest.evaluator, quest.use_all ? std::max(half, evolution.evaluations) : evolution.evaluations / parts,
        quest.use_all ? unlimited : evolution.records / parts);
    add(others, search_atomu(quest));
  }
  if (floats > a_few) {
    const uint64_t half = quest.evaluator.evaluations_left().value_or(0) / 2;
    const Evaluator::Allowance allowance(quest.evaluator, quest.use_all ? half : arrays.evaluations,
                                         quest.use_all ? unlimited : records_for_arrays(quest.evaluator) / parts);
    add(others, search_fpgen(quest));
  }
  for (uint64_t before = 0; quest.use_all && !quest.evaluator.spent() && quest.evaluator.evaluations() > before;) {
    before = quest.evaluator.evaluations();
    add(bracketed, search_bracket(quest));
    keep_largest(bracketed, most_bracketed);
  }
  add(bracketed, std::move(others));
  return bracketed;
}

// Samples two inputs that are equal, or equal but for their signs, among others of any size: a needle triangle,
// opposite points. Brackets vary one input at a time, and samples are never equal.
std::vector<Candidate> sample_ties(Quest& quest) {
  constexpr size_t least_inputs = 3, samples = 256, most = 16; // guesses; brackets do two inputs
  const std::vector<size_t> free = quest.space.free_floats();
  Scorer scorer(quest, "ties");
  for (size_t i = 0; i < samples && free.size() >= least_inputs && !scorer.spent(); ++i) {
    exec::Input input = quest.space.sample_floats(quest.rng);
    const size_t one = free[quest.rng.below(free.size())], other = free[quest.rng.below(free.size())];
    if (i % 2 == 0)
      for (Value& value : input)
        value = std::fabs(value);
    input[other] = quest.space.dimensions[other].nearest(quest.rng.coin() ? input[one] : -input[one]);
    for (size_t cell = 0; cell < input.size(); ++cell)
      input[cell] = quest.space.dimensions[cell].nearest(input[cell]);
    scorer.keep(input, 0, scorer.score(input).error.relative);
  }
  return scorer.best(most, most);
}

bool is_in_sight(const std::vector<Candidate>& candidates, double threshold) {
  return std::ranges::any_of(candidates, [&](const Candidate& candidate) { return candidate.score > threshold; });
}

// Repeats searches that approach an error slowly until one that counts is in sight: samples, and steps from the best of
// them. Everyday inputs and all inputs alternate.
void go_on(Quest& quest, std::vector<Candidate>& candidates) {
  constexpr Allotment round{unlimited, 10'000'000}; // a guess
  for (int number = 0; !is_in_sight(candidates, quest.threshold) && !quest.evaluator.spent(); ++number) {
    const bool everyday = quest.everyday && number % 2 == 0;
    Quest part = quest.within(everyday ? *quest.everyday : quest.space, Part::whole);
    part.rng = quest.own_rng("round");
    const uint64_t before = quest.evaluator.evaluations();
    {
      const Evaluator::Allowance allowance(quest.evaluator, round.evaluations, round.records);
      add(candidates, search_bracket(part));
      add(candidates, search_fpgen(part));
    }
    keep_largest(candidates, most_bracketed);
    if (quest.evaluator.evaluations() == before)
      return;
  }
}

std::vector<Candidate> search_parts(Quest& quest) {
  if (!quest.everyday)
    return search_part(quest);
  std::vector<Candidate> candidates;
  {
    const uint64_t left = quest.evaluator.evaluations_left().value_or(unlimited);
    const Evaluator::Allowance allowance(quest.evaluator, quest.use_all ? left / 2 : unlimited, unlimited,
                                         everyday_share);
    Quest everyday = quest.within(*quest.everyday, Part::everyday);
    candidates = search_part(everyday);
    numeric::Rng own = quest.rng.fork("domain");
    if (const std::optional<Space> domain = domain_of_code(quest.evaluator.session(), *quest.everyday, own)) {
      Quest inside = quest.within(*domain, Part::everyday);
      inside.rng = own;
      add(candidates, search_part(inside));
    }
    everyday.rng = quest.rng.fork("ties");
    add(candidates, sample_ties(everyday));
  }
  Quest rest = quest.within(quest.space, Part::rest);
  add(candidates, search_part(rest));
  return candidates;
}

} // namespace

std::vector<Candidate> search_auto(Quest& quest) {
  if (!quest.climbs || !quest.errors_wanted) {
    std::vector<Candidate> candidates = search_parts(quest);
    if (quest.goes_on && quest.errors_wanted && !quest.use_all)
      go_on(quest, candidates);
    return candidates;
  }
  std::vector<Candidate> candidates;
  {
    const uint64_t left = quest.evaluator.evaluations_left().value_or(unlimited);
    const Evaluator::Allowance allowance(quest.evaluator, quest.use_all ? left / before_climb : unlimited,
                                         quest.evaluator.records_left() / before_climb, 1.0 / double(before_climb));
    candidates = search_parts(quest);
    if (quest.goes_on && !quest.use_all)
      go_on(quest, candidates);
  }
  add(candidates, climb(quest));
  return candidates;
}

} // namespace faultline::search
