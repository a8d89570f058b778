#include "judge/diagnosis/occurrence.h"

#include "base/clock.h"
#include "explain/fault.h"
#include "numeric/decimal.h"
#include "numeric/format.h"
#include "numeric/stable_sort.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {

using model::Finding;
using model::Share;
using numeric::Int128;
using numeric::Value;
using oracle::OutputJudgement;

namespace {

constexpr size_t most_outputs = 4; // each is explained separately

std::vector<const OutputJudgement*> wrong_most(const Judge& judge, const oracle::Judgement& judgement) {
  std::vector<const OutputJudgement*> wrong;
  for (const OutputJudgement& output : judgement.outputs)
    if (judge.is_measurable(output))
      wrong.push_back(&output);
  numeric::sort_stably(wrong, std::ranges::greater(), &OutputJudgement::relative);
  wrong.resize(std::min(wrong.size(), most_outputs));
  return wrong;
}

ops::Fault fault_of(const Finding& described, const tape::Tape& tape, Analysis& analysis, uint32_t record) {
  if (described.parts && described.parts->is_wrong_method())
    return ops::Fault::wrong_method;
  if (described.diagnosis)
    return described.diagnosis->fault;
  if (!described.cause || described.kind != model::Kind::inaccuracy)
    return ops::Fault::unclassified;
  return explain::classify(tape, analysis.error_path(tape, record), analysis.blame(tape, record), analysis.exact(tape))
      .fault;
}

// Guesses: the samples of a set, and the records that all of them may cost; the number of samples with an error that
// the oracle checks, depending on the records that these cost; the number of free inputs up to which a condition on one
// of them is looked for.
constexpr size_t most_samples = 2000, least_checked = 4, most_checked = 16, most_free_inputs = 8;
constexpr uint64_t most_sampled_records = 4'000'000, least_explained_records = 200, longest_sampled_run = 200'000;
constexpr uint64_t most_explained_records = 40'000;
constexpr double confidence = 1.96; // standard deviations: 95 %

struct Interval {
  double low, high;
};

// Wilson's interval, which also holds for small counts.
Interval proportion(double count, double of) {
  const double z2 = confidence * confidence, share = count / of;
  const double centre = (share + z2 / (2 * of)) / (1 + z2 / of);
  const double reach = confidence / (1 + z2 / of) * std::sqrt(share * (1 - share) / of + z2 / (4 * of * of));
  return {count == 0 ? 0 : std::max(centre - reach, 0.0), count == of ? 1 : std::min(centre + reach, 1.0)};
}

double threshold_of(const Finding& finding, const model::Settings& settings, int precision) {
  if (settings.absolute)
    return *settings.absolute;
  if (settings.ulps)
    return std::ldexp(*settings.ulps, 1 - precision);
  return finding.half_digits ? std::ldexp(1.0, -(precision / 2)) : settings.threshold.value_or(model::failure);
}

} // namespace

std::vector<ShownFault> shown_faults(exec::Session& session, Judge& judge, const exec::Input& input) {
  const exec::Run run = session.run(input);
  if (run.outcome != exec::Outcome::returned || run.refused_at)
    return {};
  const tape::Tape tape(run, session.sites(), input.size());
  const auto analysis = std::make_shared<Analysis>(judge.judge(input, tape));
  // A sample is not a candidate and does not count as unknown
  if (analysis->judgement().certainty != oracle::Certainty::known)
    return {};
  std::vector<ShownFault> faults;
  for (const OutputJudgement* output : wrong_most(judge, analysis->judgement())) {
    const Finding described = judge.describe(input, tape, *analysis, *output);
    faults.push_back({described.kind, described.cause.value_or(model::Cause()),
                      fault_of(described, tape, *analysis, tape.outputs()[output->output].record), output->relative,
                      output->absolute});
  }
  // This comes last, since it may run other inputs.
  return judge.errors(input, tape, analysis, "").empty() ? std::vector<ShownFault>() : faults;
}

bool is_of(const ShownFault& shown, const Finding& finding) {
  const model::Cause cause = finding.cause.value_or(model::Cause());
  return shown.kind == finding.kind && shown.cause.file == cause.file && shown.cause.line == cause.line &&
         (finding.diagnosis ? shown.fault == finding.diagnosis->fault : shown.cause.operation == cause.operation);
}

Occurrence::Occurrence(exec::Session& session, const model::Settings& settings, Judge& judge,
                       const Locations& locations, const search::Space& space, const search::Space& everyday,
                       Deadline* deadline)
    : session_(session), settings_(settings), judge_(judge), locations_(locations), space_(space), everyday_(everyday),
      deadline_(deadline) {}

bool Occurrence::is_of_range() const { return !settings_.ranges.empty() || !settings_.assumptions.empty(); }

exec::Input Occurrence::draw(const search::Space& space, numeric::Rng& rng) const {
  const exec::Input floats = space.sample_floats(rng), reals = space.sample_reals(rng);
  exec::Input input;
  for (size_t i = 0; i < floats.size(); ++i)
    input.push_back(space.dimensions[i].floating && space.dimensions[i].given() ? reals[i] : floats[i]);
  return space.legal(std::move(input));
}

Occurrence::Sample Occurrence::run(const exec::Input& input) {
  if (deadline_ && deadline_->passed(end_of_diagnosing))
    throw base::TimeLimitExceeded();
  Sample sample;
  sample.input = input;
  const exec::Run& run = session_.run_briefly(input, longest_sampled_run);
  sample.records = run.records.size();
  sample.ended = run.outcome != exec::Outcome::timed_out && run.outcome != exec::Outcome::out_of_memory;
  if (!ended_by_choice(run.outcome))
    return sample;
  const tape::Tape tape(run, session_.sites(), input.size());
  if (run.outcome == exec::Outcome::returned) {
    const tape::EstimatedError error = tape::estimated_error(tape, judge_.outputs(), residues_);
    sample.error = settings_.absolute ? error.absolute : error.relative;
  }
  if (run.flags & exec::exception_flags)
    for (const SeenException& shown : shown_exceptions(tape, locations_))
      sample.exceptions.emplace_back(shown.location, shown.kind);
  return sample;
}

const std::vector<Occurrence::Sample>& Occurrence::samples(bool everyday) {
  std::vector<Sample>& drawn = samples_[everyday];
  if (!drawn.empty())
    return drawn;
  numeric::Rng rng = numeric::Rng(settings_.seed).fork(everyday ? "how often, everyday" : "how often");
  uint64_t records = 0;
  while (drawn.size() < most_samples && records < most_sampled_records && !session_.asked_to_stop()) {
    drawn.push_back(run(draw(everyday ? everyday_ : space_, rng)));
    records += std::max(drawn.back().records, least_explained_records);
    if (!drawn.back().ended) // each costs its full time
      break;
  }
  return drawn;
}

const model::Cell& Occurrence::output_of(const Finding& finding) const {
  const auto output = std::ranges::find_if(judge_.outputs(), [&](size_t index) {
    return finding.output && session_.target().outputs[index].name == finding.output->name;
  });
  return session_.target().outputs[output == judge_.outputs().end() ? judge_.outputs().front() : *output];
}

bool Occurrence::shows(const Sample& sample, const Finding& finding) const {
  if (is_error(finding.kind)) {
    const int precision = numeric::info(output_of(finding).type.format).precision;
    return sample.error > threshold_of(finding, settings_, precision);
  }
  return std::ranges::any_of(sample.exceptions, [&](const auto& exception) {
    const tape::Site& site = session_.sites().sites[locations_.site(exception.first)];
    return model::kind_of(exception.second) == finding.kind && finding.cause && site.line == finding.cause->line &&
           site.column == finding.cause->column && site.file == finding.cause->file &&
           ops::name(site.op) == finding.cause->operation;
  });
}

void Occurrence::measure(Finding& finding) {
  // Effects that are invisible on the run's own path are not estimated: the other branch, and a wrong method.
  const bool measurable = finding.kind == model::Kind::inaccuracy ? finding.error.has_value()
                                                                  : !is_error(finding.kind) && finding.aftermath;
  if (!measurable || (finding.parts && finding.parts->is_wrong_method()) || judge_.outputs().empty() ||
      finding.values.size() != space_.dimensions.size())
    return;
  const std::vector<Sample>& drawn = samples(finding.everyday);
  if (drawn.empty() || !drawn.back().ended)
    return;
  const std::vector<const Sample*> shown = showing(finding, drawn);
  const Part own = own_part(finding, shown);
  if (finding.everyday) {
    const Interval part = proportion(double(shown.size()), double(drawn.size()));
    finding.share = Share{is_of_range(), part.low * own.low, part.high * own.high};
  }
  if (own.most) // otherwise a condition would describe another problem
    find_condition(finding, drawn);
}

std::vector<const Occurrence::Sample*> Occurrence::showing(const Finding& finding,
                                                           const std::vector<Sample>& drawn) const {
  std::vector<const Sample*> found;
  for (const Sample& sample : drawn)
    if (shows(sample, finding))
      found.push_back(&sample);
  return found;
}

const std::vector<ShownFault>& Occurrence::faults_of(const Sample& sample) {
  const auto known = faults_.find(&sample);
  if (known != faults_.end())
    return known->second;
  if (deadline_ && deadline_->passed(end_of_diagnosing))
    throw base::TimeLimitExceeded();
  return faults_.emplace(&sample, shown_faults(session_, judge_, sample.input)).first->second;
}

// Samples that the oracle does not confirm may show this problem. Those explained by another problem do not.
Occurrence::Part Occurrence::own_part(const Finding& finding, const std::vector<const Sample*>& showing) {
  if (!is_error(finding.kind) || showing.empty())
    return {};
  const model::Cell& output = output_of(finding);
  const double threshold = threshold_of(finding, settings_, numeric::info(output.type.format).precision);
  const uint64_t affordable = most_explained_records / std::max(showing.front()->records, least_explained_records);
  const size_t most = std::clamp<uint64_t>(affordable, least_checked, most_checked);
  const size_t count = std::min(showing.size(), most);
  size_t own = 0, others = 0;
  for (size_t i = 0; i < count; ++i) { // evenly over all of them
    const std::vector<ShownFault>& faults = faults_of(*showing[i * showing.size() / count]);
    const auto is_own = [&](const ShownFault& fault) {
      return is_of(fault, finding) && (settings_.absolute ? fault.absolute : fault.relative) > threshold;
    };
    const bool shown = std::ranges::any_of(faults, is_own);
    own += shown;
    others += !shown && !faults.empty();
  }
  return {own == count ? 1 : proportion(double(own), double(count)).low,
          others == 0 ? 1 : proportion(double(count - others), double(count)).high, 2 * others < count};
}

void Occurrence::find_condition(Finding& finding, const std::vector<Sample>& drawn) {
  std::vector<size_t> free;
  for (size_t i = 0; i < space_.dimensions.size(); ++i)
    if (!space_.dimensions[i].held())
      free.push_back(i);
  if (free.size() > most_free_inputs)
    return;
  for (const size_t input : free) {
    std::vector<LabelledSample> labelled;
    for (const Sample& sample : drawn)
      labelled.push_back({sample.input[input], shows(sample, finding)});
    const std::optional<Condition> condition = condition_on(labelled);
    if (!condition)
      continue;
    const Value sign = condition->of_magnitude && finding.values[input] < 0 ? -1 : 1;
    const Value bound = turning_point(finding, input, sign * condition->inside, sign * condition->outside);
    // Whatever is not 0, or not infinite, is no condition.
    const int least = numeric::info(space_.dimensions[input].format).min_exponent;
    if (space_.dimensions[input].floating && (bound == 0 || std::abs(std::ilogb(bound)) > -least - 2))
      continue;
    finding.when = text(*condition, space_.dimensions[input].name, sign * bound, !space_.dimensions[input].floating);
    return;
  }
  if (free.size() == 1 && space_.dimensions[free.front()].floating && is_error(finding.kind))
    find_neighbourhood(finding, free.front());
}

// Bisects on the line through the finding's input, if both ends behave as expected.
Value Occurrence::turning_point(const Finding& finding, size_t input, Value shown, Value not_shown) {
  const search::Dimension& dimension = space_.dimensions[input];
  exec::Input at = finding.values;
  auto shows_at = [&](Value value) {
    at[input] = value;
    return shows(run(at), finding);
  };
  if (!shows_at(shown) || shows_at(not_shown))
    return shown;
  Int128 inside = dimension.order(shown), outside = dimension.order(not_shown);
  while (inside - outside > 1 || outside - inside > 1) {
    const Int128 middle = inside + (outside - inside) / 2;
    (shows_at(dimension.at(middle)) ? inside : outside) = middle;
  }
  return dimension.at(inside);
}

// Few inputs show it, so samples do not help: finds its extent around the known one.
void Occurrence::find_neighbourhood(Finding& finding, size_t input) {
  const search::Dimension& dimension = space_.dimensions[input];
  const Value here = finding.values[input];
  const Int128 at = dimension.order(here), low = dimension.order(dimension.low), high = dimension.order(dimension.high);
  auto reach = [&](Int128 direction) { // doubles the steps until it no longer shows, then bisects
    Int128 step = 1;
    exec::Input moved = finding.values;
    for (;; step *= 2) {
      const Int128 next = std::clamp(at + direction * step, low, high);
      moved[input] = dimension.at(next);
      if (!shows(run(moved), finding))
        return turning_point(finding, input, dimension.at(std::clamp(at + direction * (step / 2), low, high)),
                             dimension.at(next));
      if (next == low || next == high)
        return dimension.at(next);
    }
  };
  const Value from = reach(-1), to = reach(1), width = std::max(to - here, here - from);
  constexpr Value near = 1e-2; // relative to the value: anything wider is not a neighbourhood
  if (width > 0 && width < near * std::fabs(here))
    finding.when = fmt::format("{} within {} of {}", dimension.name, numeric::brief_decimal(width, 2),
                               numeric::brief_decimal(here, 6));
}

} // namespace faultline::judge
