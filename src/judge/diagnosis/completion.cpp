#include "judge/diagnosis/completion.h"

#include "exec/session.h"
#include "explain/fortran_text.h"
#include "judge/endings.h"
#include "judge/meaning/meaning_judge.h"
#include "model/problem.h"
#include "numeric/bigfloat.h"
#include "numeric/decimal.h"
#include "oracle/judgement.h"
#include "program/compile.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

namespace faultline::judge {

using namespace model;
using numeric::BigFloat;
using numeric::Int128;
using numeric::Value;

namespace {

Value power_of_ten(Value value) {
  return numeric::parse_long_double(fmt::format("1e{}", std::lround(std::log10(std::fabs(value))))).value_or(value);
}

} // namespace

bool Simplifier::shows(const exec::Input& candidate) {
  if (attempts_ == 0 || (stay_everyday_ && !search::is_everyday(space_, candidate)) || !space_.allows(candidate))
    return false;
  --attempts_;
  return (*shows_)(candidate);
}

bool Simplifier::try_value(exec::Input& input, size_t cell, Value value) {
  const search::Dimension& dimension = space_.dimensions[cell];
  value = dimension.nearest(value);
  if (value == input[cell] && std::signbit(value) == std::signbit(input[cell]))
    return false;
  exec::Input candidate = input;
  candidate[cell] = value;
  if (!shows(candidate))
    return false;
  input = std::move(candidate);
  return true;
}

// Moves all cells to the nearest everyday values, or to values of ordinary size; then cell by cell.
void Simplifier::to_everyday(exec::Input& input) {
  if (search::is_everyday(space_, input)) {
    stay_everyday_ = true;
    return;
  }
  constexpr Value sizes[] = {0, 1, 1000, 1e-3L, 1e-8L}; // 0 is for the nearest; the others are guesses
  auto moved = [&](size_t cell, Value size) {
    const search::Dimension& dimension = everyday_.dimensions[cell];
    const bool usual = dimension.nearest(input[cell]) == input[cell];
    if (!is_free(cell) || !dimension.floating || usual)
      return input[cell];
    return dimension.nearest(size == 0 ? input[cell] : std::copysign(size, input[cell]));
  };
  for (const Value size : sizes) {
    exec::Input candidate = input;
    for (size_t i = 0; i < input.size(); ++i)
      candidate[i] = moved(i, size);
    if (shows(candidate)) {
      input = std::move(candidate);
      stay_everyday_ = true;
      return;
    }
  }
  for (size_t i = 0; i < input.size(); ++i)
    for (const Value size : sizes)
      if (const Value value = moved(i, size); value != input[i] && try_value(input, i, value))
        break;
  stay_everyday_ = search::is_everyday(space_, input);
}

// Sets as many cells as possible to 0, and the others, cell by cell, to 1.
void Simplifier::to_defaults(exec::Input& input) {
  input = search::with_zeros(space_, input, [&](const exec::Input& candidate) { return shows(candidate); });
  for (size_t i = 0; i < input.size(); ++i)
    if (is_free(i) && input[i] != 0)
      try_value(input, i, 1);
}

void Simplifier::to_positive(exec::Input& input) {
  exec::Input positive = input;
  for (size_t i = 0; i < input.size(); ++i)
    if (is_free(i))
      positive[i] = space_.dimensions[i].nearest(std::fabs(input[i]));
  // -0 equals 0, but people do not type it
  const bool has_signs = std::ranges::any_of(input, [](Value value) { return std::signbit(value); });
  if (has_signs && shows(positive)) {
    input = std::move(positive);
    return;
  }
  for (size_t i = 0; i < input.size(); ++i)
    if (is_free(i) && std::signbit(input[i]))
      try_value(input, i, std::fabs(input[i]));
}

void Simplifier::to_few_digits(exec::Input& input) {
  auto is_done = [](Value value) { return value == 0 || std::fabs(value) == 1 || !std::isfinite(value); };
  for (const int digits : {1, 2, 3, 4, 6, 8}) { // all at once: enough for most
    exec::Input candidate = input;
    for (size_t i = 0; i < input.size(); ++i)
      if (is_free(i) && !is_done(input[i]))
        candidate[i] = space_.dimensions[i].nearest(numeric::rounded_decimal(input[i], digits));
    if (input.size() > 1 && candidate != input && shows(candidate)) {
      input = std::move(candidate);
      break;
    }
  }
  for (size_t i = 0; i < input.size(); ++i) {
    if (!is_free(i) || is_done(input[i]) || try_value(input, i, std::copysign(power_of_ten(input[i]), input[i])))
      continue;
    for (const int digits : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 15, 16})
      if (try_value(input, i, numeric::rounded_decimal(input[i], digits)) ||
          space_.dimensions[i].nearest(numeric::rounded_decimal(input[i], digits)) == input[i])
        break;
  }
}

exec::Input Simplifier::simplest(exec::Input input, uint64_t attempts, const Shows& shows, Simplest simplest) {
  attempts_ = attempts;
  shows_ = &shows;
  stay_everyday_ = false;
  if (input.size() != space_.dimensions.size())
    return input;
  to_everyday(input);
  if (simplest == Simplest::everyday_will_do)
    return input;
  to_defaults(input);
  to_positive(input);
  to_few_digits(input);
  return input;
}

namespace {

constexpr size_t wanted = 1000, confirming = 3000; // inputs
// Of the inputs: around those at which the remedy did worst, since it may do harm there, and on the borders between
// branches of the code and of the problem's region.
constexpr size_t around_worst = 120, borders = 24;
constexpr size_t most_remedies = 8; // tried for one finding
constexpr uint64_t most_trial_records = 4'000'000, confirming_records = 1'200'000;
constexpr size_t most_shown = 8; // further inputs that show the problem

} // namespace

bool RemedyTrial::out_of_time() {
  return session_.asked_to_stop() || (deadline_ && deadline_->passed(end_of_diagnosing));
}

// Adds both sides of borders between the kind of the first input and other kinds.
void RemedyTrial::add_borders(Bench& bench, size_t count) {
  const exec::Input first = bench.inputs.front().input;
  const Comparison::RunSummary here = comparison_.look(first);
  const size_t others = bench.inputs.size();
  for (size_t i = 1; i < others && bench.inputs.size() < others + count && !out_of_time(); i += 7) {
    const Comparison::RunSummary there = comparison_.look(bench.inputs[i].input);
    if (!here.returned || !there.returned || (there.path == here.path && there.wrong == here.wrong))
      continue;
    const bool by_path = there.path != here.path && (there.wrong == here.wrong || i % 2 == 0);
    for (exec::Input& input : bench.draws.border(first, bench.inputs[i].input, [&](const exec::Input& middle) {
           const Comparison::RunSummary looks = comparison_.look(middle);
           return by_path ? looks.path == here.path : looks.wrong == here.wrong;
         }))
      bench.inputs.push_back({std::move(input)});
  }
}

// The finding's own input first, then further ones that show it.
std::vector<exec::Input> RemedyTrial::shown_by(const Finding& finding) const {
  std::vector<exec::Input> shown = {finding.values};
  for (const Witness& witness : finding.also) {
    exec::Input input;
    for (size_t i = 0; i < witness.input.size() && i < space_.dimensions.size(); ++i)
      if (const auto value = numeric::parse_number(witness.input[i].value.hex, space_.dimensions[i].format))
        input.push_back(*value);
    if (input.size() == finding.values.size() && shown.size() < most_shown)
      shown.push_back(std::move(input));
  }
  return shown;
}

bool RemedyTrial::begin(const Finding& finding) {
  const std::vector<model::Cell>& outputs = session_.target().outputs;
  const auto output =
      std::ranges::find_if(outputs, [&](const model::Cell& cell) { return cell.name == finding.output->name; });
  if (output == outputs.end() || finding.values.size() != space_.dimensions.size() || finding.values.empty())
    return false;
  const double half_of_digits = std::ldexp(1.0, numeric::info(output->type.format).precision / 2);
  const double nearly = finding.error ? finding.error->ulps / 16 : half_of_digits;
  comparison_.begin(size_t(output - outputs.begin()), std::min(half_of_digits, nearly));
  return true;
}

void RemedyTrial::fill(Bench& bench, const Finding& finding) {
  const uint64_t records = std::max<uint64_t>(session_.run(finding.values).records.size(), least_of_trial);
  bench.goal = size_t(std::min<uint64_t>(wanted, most_trial_records / records));
  bench.around_worst = bench.goal * around_worst / wanted;
  bench.extra = size_t(std::min<uint64_t>(confirming, confirming_records / records));
  bench.allowance = 3 * most_trial_records; // other inputs may have longer runs
  if (bench.goal < fewest_tried)
    return;
  const size_t on_borders = bench.goal * borders / wanted;
  for (exec::Input& input : bench.draws.mixed(shown_by(finding), bench.goal - bench.around_worst - on_borders))
    bench.inputs.push_back({std::move(input)});
  add_borders(bench, on_borders);
}

void RemedyTrial::choose(Finding& finding, std::span<const explain::Remedy> remedies) {
  const bool in_library = finding.cause && !finding.cause->within.empty(); // not the user's to change
  if (!finding.diagnosis || remedies.empty() || in_library || !finding.output || out_of_time() || !begin(finding))
    return;
  TrialInputs draws(space_, everyday_, numeric::Rng(settings_.seed).fork("remedies"));
  Bench bench{comparison_, draws, space_, [this] { return out_of_time(); }};
  fill(bench, finding);
  std::optional<TrialOutcome> best;
  const explain::Remedy* chosen = nullptr;
  for (size_t i = 0; i < remedies.size() && !bench.inputs.empty(); ++i) {
    const bool wider = remedies[i].change.means == explain::Means::wider;
    if ((i >= most_remedies && !wider) || (wider && chosen))
      continue;
    const std::optional<TrialOutcome> outcome = evaluate_remedy(remedies[i], bench);
    if (!outcome || (chosen && outcome->condition))
      continue;
    best = outcome;
    chosen = &remedies[i];
    if (!outcome->condition)
      break;
  }
  if (!chosen)
    return;
  finding.diagnosis->remedy = offered(*chosen, *best);
  std::string& advice = finding.diagnosis->remedy->advice;
  const auto output = std::ranges::find(session_.target().outputs, finding.output->name, &model::Cell::name);
  if (finding.cause && program::language_of(finding.cause->file) == program::Language::fortran)
    advice = explain::in_fortran(advice, output->type.format);
}

// The remedy with its condition.
Remedy RemedyTrial::offered(const explain::Remedy& remedy, const TrialOutcome& outcome) const {
  Remedy offered{remedy.name, remedy.advice, remedy.relative, outcome.tried, remedy.where};
  if (outcome.condition) {
    const std::string condition = outcome.condition->text(space_);
    offered.advice = fmt::format("for {}, {}", condition, offered.advice);
    offered.condition = offered.condition.empty() ? condition : fmt::format("{} and {}", condition, offered.condition);
  }
  return offered;
}

namespace {

// Inputs next to a root of the exact result.
//
// A relative error is largest where the exact result is smallest: at the floats next to its root. The search approaches
// it by residues, which hold about 64 bits of a result, so its best input may be far from the worst one nearby. Here
// the exact result is the guide: secants along one input after the other, a small counted number (they converge in
// about six steps).
constexpr long precision = 256;          // more than twice a format's: next to a root, half of it is lost
constexpr int most_steps = 10;           // along one input
constexpr Int128 furthest = 1LL << 40;   // in floats: a more distant root is that of another place
constexpr double longest_step = 0x1p100; // fits an integer of 128 bits

// The exact result along one input.
class Line {
public:
  struct Point {
    Int128 order;
    BigFloat value;

    bool is_negative() const { return value.is_negative(); }
  };

  Line(exec::Session& session, const search::Dimension& dimension, const exec::Input& input, size_t cell, size_t output,
       int& runs)
      : session_(session), dimension_(dimension), input_(input), cell_(cell),
        output_(oracle::among_floats(session.target(), output)), runs_(runs), start_(dimension.order(input[cell])) {}

  Int128 start() const { return start_; }
  bool contains(Int128 order) const {
    return order >= dimension_.order(dimension_.low) && order <= dimension_.order(dimension_.high) &&
           order - start_ <= furthest && start_ - order <= furthest;
  }
  exec::Input input_at(Int128 order) const {
    exec::Input moved = input_;
    moved[cell_] = dimension_.at(order);
    return moved;
  }
  // Nothing where the result is unknown, or zero and so of no use.
  std::optional<Point> at(Int128 order) {
    if (!contains(order) || runs_ <= 0)
      return std::nullopt;
    --runs_;
    const exec::LiftedRun run = session_.lift(input_at(order), precision);
    if (run.outcome != exec::Outcome::returned || !run.outputs[output_].is_finite() || run.outputs[output_].is_zero())
      return std::nullopt;
    return Point{order, run.outputs[output_]};
  }

private:
  exec::Session& session_;
  const search::Dimension& dimension_;
  const exec::Input& input_;
  size_t cell_, output_;
  int& runs_;
  Int128 start_;
};

// The zero of the line through both points, in floats from the second; nothing if it is not near.
std::optional<Int128> to_zero(const Line::Point& a, const Line::Point& b) {
  BigFloat slope(precision), step(precision);
  mpfr_sub(slope.raw(), b.value.raw(), a.value.raw(), MPFR_RNDN);
  mpfr_div(step.raw(), b.value.raw(), slope.raw(), MPFR_RNDN);
  const double steps = -step.to_double() * double(b.order - a.order);
  return std::isfinite(steps) && std::fabs(steps) < longest_step ? std::optional(Int128(std::round(steps)))
                                                                 : std::nullopt;
}

// The two sides of a sign change, as close as the steps allow.
struct Sides {
  std::optional<Line::Point> negative, positive;

  void add(const Line::Point& point) {
    std::optional<Line::Point>& side = point.is_negative() ? negative : positive;
    if (!side || mpfr_cmpabs(point.value.raw(), side->value.raw()) < 0)
      side = point;
  }
  bool met() const {
    return negative && positive && (negative->order - positive->order == 1 || positive->order - negative->order == 1);
  }
};

Sides approach(Line& line) {
  Sides sides;
  std::optional<Line::Point> last = line.at(line.start());
  const Int128 neighbour = line.start() + (line.contains(line.start() + 1) ? 1 : -1);
  std::optional<Line::Point> now = last ? line.at(neighbour) : std::nullopt;
  if (last)
    sides.add(*last);
  for (int i = 0; i < most_steps && now; ++i) {
    sides.add(*now);
    if (sides.met())
      break;
    std::optional<Int128> step = to_zero(*last, *now);
    if (!step)
      break;
    if (*step == 0) // the nearest float: the other side of the root is next to it, or does not exist
      step = now->is_negative() == last->is_negative() && last->order < now->order ? 1 : -1;
    std::optional<Line::Point> next = now->order + *step == last->order ? std::nullopt : line.at(now->order + *step);
    last = std::exchange(now, std::move(next));
  }
  return sides;
}

// The inputs on both sides of a root near this one, or the nearest ones found, for one input cell after the other.
// `output`: index of the target's output. Makes at most this many lifted runs.
std::vector<exec::Input> next_to_root(exec::Session& session, const search::Space& space, const exec::Input& input,
                                      size_t output, int lifted_runs) {
  std::vector<exec::Input> found;
  for (size_t cell = 0; cell < space.dimensions.size() && lifted_runs > 0; ++cell) {
    const search::Dimension& dimension = space.dimensions[cell];
    if (!dimension.floating || dimension.held())
      continue;
    Line line(session, dimension, input, cell, output, lifted_runs);
    const Sides sides = approach(line);
    for (const auto* side : {&sides.negative, &sides.positive})
      if (*side && (*side)->order != line.start())
        if (exec::Input next = line.input_at((*side)->order); space.allows(next))
          found.push_back(std::move(next));
  }
  return found;
}

} // namespace

std::optional<DiagnosisWithRemedies> diagnosis_of(const tape::Tape& tape, const model::Target& target,
                                                  Analysis& analysis, const oracle::OutputJudgement& output,
                                                  const Finding& finding) {
  if (is_wrong_method(output))
    return DiagnosisWithRemedies{diagnose_method(output)};
  const uint32_t record = tape.outputs()[output.output].record;
  if (output.truncation)
    return DiagnosisWithRemedies{diagnose_truncation(tape, *output.truncation)};
  if (tape.size() > largest_explained)
    return std::nullopt;
  const auto& flip = analysis.judgement().flip;
  const bool flipped = finding.kind == Kind::branch_flip && flip;
  if (!flipped && (record == 0 || !finding.cause))
    return std::nullopt;
  if (flipped) {
    DiagnosisWithRemedies diagnosed{diagnose_flip(tape, *flip, analysis)};
    if (output.unset)
      diagnosed.diagnosis.why += fmt::format(": {} is not set there", target.outputs[output.output].name);
    return diagnosed;
  }
  // For an element of an array its own error: the chain is that of the element.
  const bool whole = finding.error && !finding.error->norm.empty();
  const double relative = whole ? numeric::relative_error(output.computed, output.reference) : output.relative;
  return diagnose(tape, target, analysis,
                  {record, output.reference, relative, finding.verdict != Verdict::ill_conditioned});
}

namespace {

// True for an avoidable exception that spoils the output.
bool is_worth_it(const Finding& finding) {
  return is_error(finding.kind) || (finding.aftermath && finding.counts() && finding.aftermath->reaches_output &&
                                    finding.verdict == Verdict::avoidable);
}

// True if the error of the output begins with the exception.
bool begins_there(const Diagnosis& diagnosis, const Finding& exception) {
  return !diagnosis.chain.empty() && is_at(diagnosis.chain.front(), exception.cause);
}

} // namespace

std::vector<explain::Remedy> add_diagnosis(Finding& finding, const tape::Tape& tape, const model::Target& target,
                                           Analysis& analysis) {
  if (!is_worth_it(finding) || !finding.output)
    return {};
  for (const oracle::OutputJudgement& output : analysis.judgement().outputs)
    if (target.outputs[output.output].name == finding.output->name) {
      std::optional<DiagnosisWithRemedies> diagnosed = diagnosis_of(tape, target, analysis, output, finding);
      if (!diagnosed || (!is_error(finding.kind) && !begins_there(diagnosed->diagnosis, finding)))
        return {};
      finding.diagnosis = std::move(diagnosed->diagnosis);
      return std::move(diagnosed->remedies);
    }
  return {};
}

namespace {

// Attempts for one finding. Each needs two more runs for an exception, so only the prominent ones get many. A failure
// that is inherent at one input may be avoidable at a simpler one, which a few attempts show.
constexpr uint64_t most_attempts = 200, most_attempts_of_exception = 80, most_attempts_of_note = 12;
constexpr uint64_t most_records = 4'000'000;
constexpr uint64_t least_records = 1000; // the minimum cost of a run

bool same_place(const std::optional<Cause>& a, const std::optional<Cause>& b) {
  if (!a || !b)
    return a.has_value() == b.has_value();
  return a->file == b->file && a->line == b->line && a->operation == b->operation;
}

bool is_as_large(const Finding& finding, const Finding& wanted) {
  if (!wanted.error || !is_error(wanted.kind))
    return true;
  if (!finding.error || !finding.output)
    return false;
  // Where the exact result is zero any error is infinite, which is a different problem.
  if (std::isinf(finding.error->relative) && std::isfinite(wanted.error->relative))
    return false;
  return capped_size(finding) >= capped_size(wanted) / 2;
}

// True for what the guard around a call sees at once: a memory access outside of its variable, an exception.
bool ends_early(const Finding& finding) {
  return (finding.kind == Kind::crash || finding.kind == Kind::exception) && finding.cause;
}

bool is_silent_and_known(const Finding& finding) {
  return finding.counts() && finding.aftermath->silent() &&
         (tier_of(finding) != Tier::note || finding.verdict == Verdict::inherent);
}

} // namespace

bool Completion::no_new_inputs() const {
  return session_.asked_to_stop() || (deadline_ && deadline_->passed(end_of_simplifying));
}

uint64_t Completion::attempts_for(const Finding& finding) {
  const exec::Run& run = session_.run(finding.values);
  if (!ended_by_choice(run.outcome) && !ends_early(finding))
    return 0;
  const uint64_t cost = std::max<uint64_t>(run.records.size(), least_records);
  const uint64_t most = is_error(finding.kind)           ? most_attempts
                        : tier_of(finding) == Tier::note ? most_attempts_of_note
                                                         : most_attempts_of_exception;
  const uint64_t attempts = std::min({most, most_records / cost, allowance_ / cost});
  allowance_ -= attempts * cost;
  return attempts;
}

// The finding of the same cause at another input, if it matters as much.
std::optional<JudgedFinding> Completion::same_at(const exec::Input& input, const Finding& wanted) {
  std::vector<JudgedFinding> all;
  if (ends_early(wanted)) {
    const exec::Run run = session_.run(input);
    if (run.outcome != exec::Outcome::returned && !run.refused_at)
      all.push_back({finding_of(end_of(run), input, judge_, wanted.strategy), nullptr});
  } else if (is_error(wanted.kind))
    all = judge_.errors(input, wanted.strategy);
  else
    for (Finding& finding : exceptions_.findings_at(input, wanted))
      all.push_back({std::move(finding), nullptr});
  for (JudgedFinding& found : all) {
    const Finding& finding = found.finding;
    if (finding.kind == wanted.kind && same_place(finding.cause, wanted.cause) &&
        (is_error(wanted.kind) || finding.cause->column == wanted.cause->column) && is_as_large(finding, wanted) &&
        tier_of(finding) <= tier_of(wanted) && finding.error.has_value() >= (is_error(wanted.kind) && wanted.error))
      return std::move(found);
  }
  return std::nullopt;
}

void Completion::simplify(JudgedFinding& found, Simplest simplest) {
  const Finding& finding = found.finding;
  const bool worth_it = is_error(finding.kind) ? finding.error && finding.error->relative > 0 && finding.output
                        : ends_early(finding)  ? finding.input.size() > 0
                                               : finding.aftermath && is_silent_and_known(finding);
  if (!worth_it || no_new_inputs())
    return;
  const Finding wanted = finding;
  std::optional<JudgedFinding> shown;
  const auto shows = [&](const exec::Input& input) {
    std::optional<JudgedFinding> same = no_new_inputs() ? std::nullopt : same_at(input, wanted);
    if (!same)
      return false;
    shown = std::move(same);
    return true;
  };
  simplifier_.simplest(finding.values, attempts_for(finding), shows, simplest);
  if (!shown)
    return;
  shown->finding.also = finding.also;
  shown->finding.merged = finding.merged;
  shown->finding.found_by = finding.found_by;
  shown->finding.id = identify(session_.target().function, shown->finding);
  found = std::move(*shown);
}

void Completion::approach_root(JudgedFinding& found) {
  constexpr int most_lifted_runs = 24, most_judged = 4; // for one finding; about 30 runs in high precision in total
  const Finding& finding = found.finding;
  if (!to_roots_ || finding.kind != Kind::inaccuracy || !finding.error || !std::isfinite(finding.error->relative) ||
      !finding.output || judge_.oracle() != OracleName::lifted || no_new_inputs())
    return;
  const exec::Run& run = session_.run(finding.values);
  const uint64_t cost = (most_lifted_runs + most_judged) * std::max<uint64_t>(run.records.size(), least_records);
  const std::vector<model::Cell>& outputs = session_.target().outputs;
  const auto cell = std::ranges::find(outputs, finding.output->name, &model::Cell::name);
  if (run.outcome != exec::Outcome::returned || cost > root_allowance_ || cell == outputs.end())
    return;
  root_allowance_ -= cost;
  const Finding wanted = finding;
  std::vector<exec::Input> inputs =
      next_to_root(session_, space_, wanted.values, size_t(cell - outputs.begin()), most_lifted_runs);
  inputs.resize(std::min<size_t>(inputs.size(), most_judged));
  for (const exec::Input& input : inputs) {
    if (no_new_inputs())
      return;
    for (JudgedFinding& other : judge_.errors(input, wanted.strategy)) {
      const std::optional<Error>& error = other.finding.error;
      if (other.finding.kind != wanted.kind || !same_place(other.finding.cause, wanted.cause) || !error ||
          !std::isfinite(error->relative) || !(error->relative > found.finding.error->relative))
        continue;
      other.finding.also = wanted.also;
      other.finding.merged = wanted.merged;
      other.finding.id = identify(session_.target().function, other.finding);
      found = std::move(other);
    }
  }
}

void Completion::diagnose(JudgedFinding& found, Inputs inputs) {
  Finding& finding = found.finding;
  if (!is_worth_it(finding) || session_.asked_to_stop())
    return;
  const exec::Run run = session_.run(finding.values);
  if (run.outcome != exec::Outcome::returned)
    return;
  const tape::Tape tape(run, session_.sites(), finding.values.size());
  if (!found.analysis)
    found.analysis = std::make_shared<Analysis>(judge_.judge(finding.values, tape));
  const std::vector<explain::Remedy> remedies = add_diagnosis(finding, tape, session_.target(), *found.analysis);
  if (inputs == Inputs::any)
    trial_.choose(finding, remedies);
}

} // namespace faultline::judge
