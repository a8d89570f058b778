#include "judge/meaning/meaning_judge.h"

#include "search/space.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace faultline::judge {

using model::Verdict;
using namespace oracle;

bool is_wrong_method(const OutputJudgement& output) {
  const std::optional<model::ErrorParts> parts = parts_of(output);
  return parts && parts->is_wrong_method();
}

void blame_method(model::Finding& finding, const model::Target& target, const MeaningJudge& judge,
                  const exec::Input& input, const OutputJudgement& output) {
  finding.cause = model::Cause{target.file, target.line, 0, target.function, "", 0, 1};
  finding.diagnosis = diagnose_method(output); // here, so that it does not depend on the time left for others
  const OutputMeaning* meaning = judge.of(output.output);
  const std::optional<numeric::BigFloat> doubt =
      meaning ? judge.doubt(*meaning, input, output.reference) : std::nullopt;
  // As for rounding (explain/conditioning.cpp): a good algorithm perturbs its inputs by a few units, not by one half.
  constexpr double few = 8;
  finding.verdict = !doubt                                        ? Verdict::unknown
                    : output.absolute <= few * doubt->to_double() ? Verdict::ill_conditioned
                                                                  : Verdict::avoidable;
}

model::Diagnosis diagnose_method(const OutputJudgement& output) {
  constexpr int digits = 6;
  model::Diagnosis diagnosis;
  diagnosis.fault = model::Fault::wrong_method;
  diagnosis.why = fmt::format("the formula, a constant or a branch is wrong: exact arithmetic does not give the "
                              "meaning's value either, but {}",
                              output.lifted->to_string(digits));
  diagnosis.accounted = 0; // part of the error due to roundings
  return diagnosis;
}

namespace {

using numeric::BigFloat;

constexpr double small_ulps = 4;   // typical of good libraries: not worth a run in exact arithmetic
constexpr size_t most_inputs = 64; // moved one after the other, with two evaluations each

BigFloat difference(const BigFloat& a, const BigFloat& b) {
  BigFloat result(std::max(a.precision(), b.precision()));
  mpfr_sub(result.raw(), a.raw(), b.raw(), MPFR_RNDN);
  mpfr_abs(result.raw(), result.raw(), MPFR_RNDN);
  return result;
}

const OutputJudgement* find(const Judgement& judgement, size_t output) {
  const auto found = std::ranges::find(judgement.outputs, output, &OutputJudgement::output);
  return found == judgement.outputs.end() ? nullptr : &*found;
}

} // namespace

const OutputMeaning* MeaningJudge::of(size_t output) const {
  const auto found = std::ranges::find(meanings_, output, &OutputMeaning::output);
  return found == meanings_.end() ? nullptr : &*found;
}

bool MeaningJudge::covers(const std::vector<size_t>& outputs) const {
  return !meanings_.empty() && std::ranges::all_of(outputs, [&](size_t output) { return of(output) != nullptr; });
}

MeaningValue MeaningJudge::value(const OutputMeaning& meaning, std::span<const numeric::Value> input) const {
  MeaningValue value =
      oracle::evaluate(meaning.expression, meaning.names, input, target_.outputs[meaning.output].type.format, floor_);
  cut_ = cut_ || value.cut;
  return value;
}

OutputJudgement MeaningJudge::measured(size_t output, numeric::Value computed, const MeaningValue& value) const {
  OutputJudgement judged = oracle::measure(output, target_.outputs[output], computed, value.reference.value, floor_);
  judged.good_bits = value.reference.good_bits();
  judged.by_meaning = true;
  return judged;
}

Judgement MeaningJudge::judge(const exec::Input& input, std::span<const exec::OutputValue> values,
                              const std::vector<size_t>& outputs, const std::function<Judgement()>& by_code) const {
  Judgement judgement;
  bool ask_code = false;
  for (const size_t output : outputs) {
    const OutputMeaning* meaning = of(output);
    const MeaningValue value = meaning ? this->value(*meaning, input) : MeaningValue();
    if (value.kind == MeaningValue::Kind::undefined) {
      judgement.undefined = true;
      judgement.why_unknown = fmt::format("the meaning is not defined there: {}", value.why);
      judgement.outputs.clear();
      return judgement;
    }
    if (value.kind == MeaningValue::Kind::unknown) {
      judgement.why_unknown = value.why;
      ask_code = true;
      continue;
    }
    judgement.precision = std::max(judgement.precision, value.precision);
    judgement.outputs.push_back(measured(output, values[output].value, value));
    ask_code = ask_code || judgement.outputs.back().ulps > small_ulps;
  }
  judgement.certainty = judgement.outputs.empty() ? Certainty::unknown : Certainty::known;
  if (!ask_code)
    return judgement;
  Judgement code = by_code();
  if (judgement.outputs.empty() || code.certainty == Certainty::known)
    judgement.precision = code.precision;
  judgement.flip = code.flip;
  judgement.ends = code.ends;
  for (const size_t output : outputs) {
    const auto judged = std::ranges::find(judgement.outputs, output, &OutputJudgement::output);
    const OutputJudgement* lifted = code.certainty == Certainty::known ? find(code, output) : nullptr;
    if (judged == judgement.outputs.end() && lifted)
      judgement.outputs.push_back(*lifted);
    else if (judged != judgement.outputs.end() && lifted)
      judged->lifted = lifted->reference;
  }
  if (judgement.outputs.empty()) {
    if (judgement.why_unknown.empty())
      judgement.why_unknown = code.why_unknown;
    return judgement;
  }
  judgement.certainty = Certainty::known;
  return judgement;
}

std::optional<BigFloat> MeaningJudge::doubt(const OutputMeaning& meaning, const exec::Input& input,
                                            const BigFloat& here) const {
  BigFloat total(0.0L, 64);
  if (input.size() > most_inputs || !here.is_finite())
    return std::nullopt;
  for (size_t i = 0; i < input.size(); ++i) {
    const model::Cell& cell = target_.inputs[i];
    if (!cell.type.floating)
      continue;
    const search::Dimension dimension{cell.name, true, cell.type.format, 0, 0};
    BigFloat largest(0.0L, 64);
    bool known = false;
    for (const int step : {-1, 1}) {
      exec::Input neighbour = input;
      neighbour[i] = dimension.at(dimension.order(input[i]) + step);
      const MeaningValue there = value(meaning, neighbour);
      if (there.kind != MeaningValue::Kind::value || !there.reference.value.is_finite())
        continue;
      known = true;
      if (BigFloat moved = difference(there.reference.value, here); moved > largest)
        largest = std::move(moved);
    }
    if (!known)
      return std::nullopt;
    mpfr_div_2ui(largest.raw(), largest.raw(), 1, MPFR_RNDN); // half of an ulp
    BigFloat sum(64);
    mpfr_add(sum.raw(), total.raw(), largest.raw(), MPFR_RNDN);
    total = std::move(sum);
  }
  return total;
}

std::optional<model::ErrorParts> parts_of(const OutputJudgement& output) {
  if (!output.by_meaning || !output.lifted || !output.lifted->is_finite() || !std::isfinite(output.computed))
    return std::nullopt;
  const auto part = [&](const BigFloat& from, const BigFloat& to) {
    const BigFloat apart = difference(from, to);
    BigFloat ratio(64);
    mpfr_div(ratio.raw(), apart.raw(), output.reference.raw(), MPFR_RNDN);
    const double relative = apart.is_zero() || ratio.is_nan() ? 0 : std::fabs(ratio.to_double());
    return model::ErrorPart{relative, apart.to_double()};
  };
  model::ErrorParts parts{part(*output.lifted, output.reference), part(BigFloat(output.computed, 64), *output.lifted)};
  if (output.reference.is_inf()) // beyond all exponents
    parts.method = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  return parts;
}

} // namespace faultline::judge
