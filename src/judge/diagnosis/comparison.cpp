#include "judge/diagnosis/comparison.h"

#include "numeric/bigfloat.h"
#include "numeric/decimal.h"
#include "numeric/stable_sort.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {

using numeric::Value;

namespace {

// Guesses: the samples on either side that a condition needs, and the part of them that may be exceptions. Near the
// bound, rounding decides whether an error is above the threshold.
constexpr size_t fewest_shown = 4;
constexpr double exceptions = 0.1;
constexpr int digits = 3; // of a bound

struct Cut {
  size_t errors = 0;
  Condition condition;
};

// The best bound of one form, if there are samples on both sides of it.
std::optional<Cut> best_cut(std::vector<LabelledSample> samples, bool of_magnitude, bool below) {
  for (LabelledSample& sample : samples)
    if (of_magnitude)
      sample.value = std::fabs(sample.value);
  numeric::sort_stably(samples, [&](const LabelledSample& a, const LabelledSample& b) {
    return below ? a.value < b.value : a.value > b.value;
  });
  const auto all = size_t(std::ranges::count(samples, true, &LabelledSample::shows));
  size_t inside = 0, best = 0, fewest_errors = samples.size() + 1;
  for (size_t i = 0; i + 1 < samples.size(); ++i) {
    inside += samples[i].shows;
    const size_t errors = (i + 1 - inside) + (all - inside);
    if (samples[i].shows && samples[i].value != samples[i + 1].value && errors < fewest_errors) {
      fewest_errors = errors;
      best = i;
    }
  }
  if (fewest_errors > samples.size())
    return {};
  const size_t length = best + 1;
  const auto shown = size_t(std::count_if(samples.begin(), samples.begin() + long(length),
                                          [](const LabelledSample& sample) { return sample.shows; }));
  if (shown < fewest_shown || samples.size() - length < fewest_shown ||
      double(length - shown) > exceptions * double(length) || double(all - shown) > exceptions * double(all))
    return {};
  return Cut{fewest_errors, {of_magnitude, below, samples[best].value, samples[best + 1].value}};
}

} // namespace

std::optional<Condition> condition_on(const std::vector<LabelledSample>& samples) {
  const bool both_signs = std::ranges::any_of(samples, [](const LabelledSample& s) { return s.value < 0; }) &&
                          std::ranges::any_of(samples, [](const LabelledSample& s) { return s.value > 0; });
  std::optional<Cut> best;
  for (const bool of_magnitude : {false, true})
    for (const bool below : {true, false})
      if (both_signs || !of_magnitude)
        if (const std::optional<Cut> cut = best_cut(samples, of_magnitude, below);
            cut && (!best || cut->errors < best->errors))
          best = cut;
  return best ? std::optional(best->condition) : std::nullopt;
}

std::string text(const Condition& condition, const std::string& name, Value bound, bool whole) {
  return fmt::format("{} {}{} {}", condition.of_magnitude ? fmt::format("|{}|", name) : name,
                     condition.below ? "<" : ">", whole ? "=" : "",
                     whole ? fmt::format("{:.0f}", bound) : numeric::brief_decimal(bound, digits));
}

namespace {

constexpr size_t most_free = 8; // inputs: with more, one input explains little
constexpr Value margin = 2;     // between the bound and the nearest input where it is worse
constexpr Value small = 1e-300; // smaller bounds are ignored

Value measured(const Bound& bound, const exec::Input& input) {
  const Value value = input[bound.input];
  return bound.of_magnitude ? std::fabs(value) : value;
}

// The largest 1, 2 or 5 times a power of ten that is not above the value, which is above 0.
Value round_below(Value value) {
  const Value power = std::pow(10.0L, std::floor(std::log10(value)));
  for (const Value digit : {5.0L, 2.0L, 1.0L})
    if (digit * power <= value)
      return digit * power;
  return power / 2;
}
Value round_above(Value value) {
  const Value power = std::pow(10.0L, std::floor(std::log10(value)));
  for (const Value digit : {1.0L, 2.0L, 5.0L})
    if (digit * power >= value)
      return digit * power;
  return power * 10;
}

// The bound of this form that excludes all worse inputs with a margin; nothing if there is none.
std::optional<Value> bound_of(const Bound& form, const std::vector<TrialResult>& results) {
  std::optional<Value> nearest;
  for (const TrialResult& result : results)
    if (result.effect == Effect::worse) {
      const Value value = measured(form, result.input);
      if (std::isnan(value))
        return std::nullopt;
      nearest = !nearest ? value : form.below ? std::min(*nearest, value) : std::max(*nearest, value);
    }
  if (!nearest)
    return std::nullopt;
  if (!form.of_magnitude && (form.below ? *nearest >= 0 : *nearest <= 0)) {
    const bool far = form.below ? *nearest > 0 && measured(form, results.front().input) > 0
                                : *nearest < 0 && measured(form, results.front().input) < 0;
    if (!far)
      return 0; // the sign decides
  }
  const Value size = std::fabs(*nearest);
  const bool towards_zero = form.below == (*nearest > 0);
  if (!(size > small) || std::isinf(size))
    return std::nullopt;
  return std::copysign(towards_zero ? round_below(size / margin) : round_above(size * margin), *nearest);
}

// Beyond a meaningful bound at least this part of the affected inputs is worse. With fewer, the code was right by
// chance.
constexpr double fewest_worse = 0.05;
constexpr size_t fewest = 10;

struct Fit {
  Bound bound;
  std::pair<size_t, size_t> held; // inputs where it is better, and all inputs
};

std::optional<Fit> fit_of(Bound form, const std::vector<TrialResult>& results) {
  const std::optional<Value> value = bound_of(form, results);
  if (!value)
    return std::nullopt;
  form.value = *value;
  Fit fit{form, {}};
  size_t beyond = 0, worse = 0;
  for (const TrialResult& result : results)
    if (form.holds(result.input)) {
      fit.held.first += result.effect == Effect::better;
      ++fit.held.second;
    } else {
      beyond += result.effect != Effect::none && result.effect != Effect::unknown;
      worse += result.effect == Effect::worse;
    }
  const bool parts = worse >= fewest && double(worse) >= fewest_worse * double(beyond);
  const bool holds = form.holds(results.front().input) && parts;
  return holds ? std::optional(fit) : std::nullopt;
}

std::optional<Bound> best_bound(const std::vector<TrialResult>& results, const search::Space& space) {
  std::vector<size_t> free;
  for (size_t i = 0; i < space.dimensions.size(); ++i)
    if (!space.dimensions[i].held() && space.dimensions[i].floating)
      free.push_back(i);
  if (free.size() > most_free)
    return std::nullopt;
  std::optional<Fit> best;
  for (const size_t input : free)
    for (const bool of_magnitude : {true, false})
      for (const bool below : {true, false})
        if (const std::optional<Fit> fit = fit_of({input, of_magnitude, below, 0}, results);
            fit && (!best || fit->held > best->held))
          best = fit;
  return best ? std::optional(best->bound) : std::nullopt;
}

bool has_worse(const std::vector<TrialResult>& results) {
  return std::ranges::find(results, Effect::worse, &TrialResult::effect) != results.end();
}

} // namespace

bool Bound::holds(const exec::Input& at) const {
  const Value here = measured(*this, at);
  return below ? here < value : here > value;
}

bool TrialCondition::holds(const exec::Input& at, const search::Space& space) const {
  return (!bound || bound->holds(at)) && (!everyday || search::is_everyday(space, at));
}

std::string TrialCondition::text(const search::Space& space) const {
  int power = 0;
  for (const search::Dimension& dimension : space.dimensions)
    power = std::max(power, dimension.floating ? numeric::info(dimension.format).everyday_power : 0);
  const std::string ordinary = fmt::format("magnitudes of 1e-{0} to 1e{0}", power > 0 ? power : 6);
  if (!bound)
    return ordinary;
  const std::string& name = space.dimensions[bound->input].name;
  return fmt::format("{} {} {}{}{}", bound->of_magnitude ? fmt::format("|{}|", name) : name, bound->below ? "<" : ">",
                     numeric::brief_decimal(bound->value, 3), everyday ? " and " : "", everyday ? ordinary : "");
}

std::optional<Bound> parsed_bound(const std::string& text, const std::vector<std::string>& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i)
    for (const bool of_magnitude : {true, false})
      for (const bool below : {true, false}) {
        const std::string start =
            fmt::format("{} {} ", of_magnitude ? fmt::format("|{}|", inputs[i]) : inputs[i], below ? "<" : ">");
        if (!text.starts_with(start))
          continue;
        const std::string number = text.substr(start.size(), text.find(" and ") - start.size());
        if (const auto value = numeric::parse_number(number, numeric::Format::extended80))
          return Bound{i, of_magnitude, below, *value};
      }
  return std::nullopt;
}

std::optional<TrialCondition> condition_for(const std::vector<TrialResult>& results, const search::Space& space) {
  if (results.empty())
    return std::nullopt;
  const std::optional<Bound> anywhere = best_bound(results, space);
  const bool unusual = anywhere && !search::is_everyday(space.dimensions[anywhere->input], anywhere->value);
  const std::optional<TrialCondition> fallback =
      anywhere ? std::optional(TrialCondition{anywhere, false}) : std::nullopt;
  if ((anywhere && !unusual) || !search::is_everyday(space, results.front().input))
    return fallback;
  std::vector<TrialResult> everyday;
  for (const TrialResult& result : results)
    if (search::is_everyday(space, result.input))
      everyday.push_back(result);
  if (!has_worse(everyday))
    return everyday.size() < results.size() ? std::optional(TrialCondition{{}, true}) : fallback;
  const std::optional<Bound> bound = best_bound(everyday, space);
  return bound ? std::optional(TrialCondition{bound, true}) : fallback;
}

namespace {

constexpr uint64_t longest_run = 200'000; // records: there are hundreds of runs
constexpr int most_lifted = 40;           // runs by the oracle, which cost a hundred times as much
constexpr int spare_bits = 16;            // of a reference, beyond the format

bool same_value(Value a, Value b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool is_close(Value now, Value then, numeric::Format format) {
  return same_value(now, then) || (std::isfinite(now) && std::isfinite(then) &&
                                   std::fabs(now - then) <= allowed_ulps * numeric::ulp(now, format));
}

} // namespace

void Comparison::begin(size_t output, double wrong_ulps) {
  output_ = output;
  wrong_ulps_ = wrong_ulps;
  lifted_ = 0;
}

int Comparison::precision_of(size_t output) const {
  return numeric::info(session_.target().outputs[output].type.format).precision;
}

exec::Run Comparison::run(const exec::Input& input) { return session_.run_briefly(input, longest_run); }

Comparison::RunSummary Comparison::look(const exec::Input& input) {
  const exec::Run& run = this->run(input);
  if (run.outcome != exec::Outcome::returned)
    return {};
  const tape::Tape tape(run, session_.sites(), input.size());
  const double error = tape::estimated_error(tape, {output_}, residues_).relative;
  return {tape::path_hash(tape), error > std::ldexp(wrong_ulps_, -precision_of(output_)), true};
}

// References from the tape, if its path is that of exact arithmetic, or from the code itself.
bool Comparison::replayed(TrialInput& input, const tape::Tape& tape) {
  if (judge_.oracle() != model::OracleName::lifted && judge_.oracle() != model::OracleName::replay)
    return false;
  for (tape::Exact& exact : exact_) {
    exact.read(tape, judge_.outputs());
    if (exact.flips())
      return false;
    bool known = !exact.doubtful();
    input.references.clear();
    for (const size_t output : judge_.outputs()) {
      const exec::OutputValue& made = tape.outputs()[output];
      numeric::BigFloat value(made.value, 1024);
      if (made.record != 0) {
        mpfr_set(value.raw(), exact.value(made.record), MPFR_RNDN);
        known = known && ops::good_bits(value.raw(), exact.error(made.record)) >= precision_of(output) + spare_bits;
      }
      input.references.push_back(std::move(value));
    }
    if (known)
      return true;
  }
  return false;
}

void Comparison::find_references(TrialInput& input, const tape::Tape& tape) {
  if (input.judged)
    return;
  input.judged = true;
  if (replayed(input, tape))
    return;
  input.references.clear();
  if (lifted_ >= most_lifted)
    return;
  ++lifted_;
  const oracle::Judgement judgement = judge_.judge(input.input, tape);
  if (judgement.certainty == oracle::Certainty::known && judgement.outputs.size() == judge_.outputs().size())
    for (const oracle::OutputJudgement& output : judgement.outputs)
      input.references.push_back(output.reference);
}

void Comparison::weigh(ComparisonResult& compared, const TrialInput& input, const tape::Tape& tape,
                       const tape::Rerun& changed) const {
  compared.effect = Effect::same;
  for (size_t i = 0; i < judge_.outputs().size(); ++i) {
    const size_t output = judge_.outputs()[i];
    const model::Cell& cell = session_.target().outputs[output];
    const numeric::BigFloat& reference = input.references[i];
    const double before = oracle::measure(output, cell, tape.outputs()[output].value, reference).ulps;
    const double after = oracle::measure(output, cell, explain::output_of(tape, changed, output), reference).ulps;
    const double allowed = std::max(allowed_factor * before, before + allowed_ulps);
    compared.harm = std::max(compared.harm, std::isinf(allowed) ? 0 : after / allowed);
    if (after > allowed_ulps && std::isfinite(before))
      compared.risk = std::max(compared.risk, std::min(after / (2 * before), 1.0));
    if (output == output_) {
      compared.wrong = before > wrong_ulps_;
      if (before > allowed_ulps && after * 2 <= before)
        compared.effect = Effect::better;
    }
  }
  if (compared.harm > 1)
    compared.effect = Effect::worse;
}

ComparisonResult Comparison::compare(TrialInput& input, const explain::Change& change) {
  ComparisonResult compared;
  const exec::Run& run = this->run(input.input);
  compared.records = run.records.size();
  compared.ended = run.outcome != exec::Outcome::timed_out && run.outcome != exec::Outcome::out_of_memory;
  if (run.outcome == exec::Outcome::tape_full || !compared.ended)
    compared.effect = Effect::unknown;
  if (run.outcome != exec::Outcome::returned || run.refused_at)
    return compared;
  const tape::Tape tape(run, session_.sites(), input.input.size());
  const std::optional<tape::Rerun> changed = explain::changed(tape, change);
  if (changed && changed->replaced == 0)
    return compared;
  if (!changed || changed->flips) {
    compared.effect = Effect::unknown;
    return compared;
  }
  bool close = true;
  compared.agrees = true;
  for (const size_t output : judge_.outputs()) {
    const Value now = tape.outputs()[output].value, then = explain::output_of(tape, *changed, output);
    close = close && is_close(now, then, session_.target().outputs[output].type.format);
    const Value common = std::ldexp(std::max(std::fabs(now), std::fabs(then)), -precision_of(output) / 2);
    const bool alike = std::isfinite(common) && std::fabs(now - then) <= common;
    compared.agrees = compared.agrees && (same_value(now, then) || alike);
  }
  compared.effect = Effect::same;
  if (close)
    return compared;
  find_references(input, tape);
  if (input.references.empty())
    compared.effect = Effect::unknown;
  else
    weigh(compared, input, tape, *changed);
  return compared;
}

} // namespace faultline::judge
