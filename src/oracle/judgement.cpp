#include "oracle/judgement.h"

#include "tape/intended.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace faultline::oracle {

namespace {

constexpr uint32_t most_records = 1u << 18; // of a tape evaluated in high precision: some 0.1 s

std::vector<tape::Keep> kept(const tape::Tape& tape) {
  const std::vector<uint32_t> measured = tape::measured_roundings(tape), steps = tape::reduction_steps(tape),
                              ties = tape::ties_with_constants(tape);
  if (measured.empty() && steps.empty() && ties.empty())
    return {};
  std::vector<tape::Keep> keep(tape.size(), tape::Keep::nothing);
  for (const uint32_t record : measured)
    keep[record] = tape::Keep::rounding;
  for (const std::vector<uint32_t>* chosen : {&steps, &ties})
    for (const uint32_t record : *chosen)
      keep[record] = tape::Keep::choice;
  return keep;
}

bool is_wrong(const OutputJudgement& output) { return output.ulps > 1; } // within an ulp is right

} // namespace

void allow_for_intended(Judgement& judgement, const model::Target& target, const tape::Tape& tape, double floor,
                        long first) {
  if (tape.size() > most_records || std::ranges::none_of(judgement.outputs, is_wrong))
    return;
  const std::vector<tape::Keep> keep = kept(tape);
  if (keep.empty())
    return;
  if (judgement.works_on_bits) { // the tape alone gives no reference
    if (judgement.flip || std::ranges::find(keep, tape::Keep::rounding) != keep.end()) {
      judgement.certainty = Certainty::unknown;
      judgement.why_unknown = "the code measures its rounding errors, and works on the bits of rounded values";
    }
    return;
  }
  std::vector<size_t> outputs;
  for (const OutputJudgement& output : judgement.outputs)
    outputs.push_back(output.output);
  const Judgement other = judge_replayed(target, tape, outputs, floor, keep, first);
  if (other.certainty != Certainty::known)
    return;
  bool nearer = false;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (other.outputs[i].ulps < judgement.outputs[i].ulps) {
      judgement.outputs[i] = other.outputs[i];
      nearer = true;
    }
  if (nearer)
    judgement.flip.reset(); // the path is right
}

Judgement judge_referenced(exec::Reference& reference, const model::Target& target, const exec::Input& input,
                           const tape::Tape& tape, size_t output, double floor, exec::CallInProgress* progress,
                           long first) {
  Judgement judgement;
  const model::Cell& cell = target.outputs[output];
  ReferenceSequence sequence(floor);
  for (long precision = first; precision <= last_precision; precision *= 2) {
    Reference value;
    std::optional<ops::ErrorExponent> error;
    if (reference.session())
      error = ops::no_error;
    const exec::Outcome outcome =
        reference.evaluate(input, precision, value.value, progress, error ? &*error : nullptr);
    if (outcome != exec::Outcome::returned) {
      judgement.why_unknown = fmt::format("the reference {}", exec::text(outcome));
      return judgement;
    }
    if (error)
      value.error = *error;
    else if (const numeric::BigFloat& known = value.value; known.is_finite() && !known.is_zero())
      value.error = mpfr_get_exp(known.raw()) - precision;
    const bool settled = sequence.add({value}, std::span(&cell.type.format, 1));
    if (settled || !reference.any_precision()) {
      judgement.certainty = Certainty::known;
      judgement.precision = precision;
      judgement.outputs.push_back(
          measure(output, cell, tape.outputs()[output].value, sequence.settled()[0].value, floor));
      return judgement;
    }
  }
  judgement.why_unknown = fmt::format("the reference does not settle up to {} bits", last_precision);
  return judgement;
}

Judgement judge_replayed(const model::Target& target, const tape::Tape& tape, const std::vector<size_t>& outputs,
                         double floor, std::span<const tape::Keep> keep, long first) {
  const std::vector<numeric::Format> formats = formats_of(target, outputs);
  Judgement judgement;
  for (size_t output : outputs) {
    const uint32_t record = tape.outputs()[output].record;
    if (record == 0) {
      judgement.why_unknown = fmt::format("the tape has no record of the output '{}'", target.outputs[output].name);
      return judgement;
    }
  }
  ReferenceSequence sequence(floor);
  for (long precision = first; precision <= last_precision; precision *= 2) {
    const tape::Replay replay = tape::replay(tape, precision, {}, keep);
    if (!keep.empty() && !replay.flips.empty()) {
      judgement.why_unknown = "exact arithmetic takes another path";
      return judgement;
    }
    std::vector<Reference> references;
    for (size_t output : outputs) {
      const uint32_t record = tape.outputs()[output].record;
      references.push_back({replay.values[record], replay.errors[record]});
    }
    if (!sequence.add(std::move(references), formats))
      continue;
    judgement.certainty = Certainty::known;
    judgement.precision = precision;
    for (size_t i = 0; i < outputs.size(); ++i)
      judgement.outputs.push_back(measure(outputs[i], target.outputs[outputs[i]], tape.outputs()[outputs[i]].value,
                                          sequence.settled()[i].value, floor));
    return judgement;
  }
  judgement.why_unknown = fmt::format("no two precisions up to {} bits agree", last_precision);
  return judgement;
}

OutputJudgement measure(size_t output, const model::Cell& cell, numeric::Value computed,
                        const numeric::BigFloat& reference, double floor) {
  OutputJudgement judgement;
  judgement.output = output;
  judgement.computed = computed;
  judgement.reference = reference;
  numeric::BigFloat nearest = reference;
  nearest.round_to(cell.type.format);
  const numeric::BigFloat own(computed, 64);
  // Rounding to nearest would overflow; directed rounding gives the largest number.
  const bool saturated = nearest.is_inf() && nearest.is_negative() == (computed < 0) &&
                         std::fabs(computed) == numeric::largest(cell.type.format);
  const bool right = nearest == own || (nearest.is_nan() && own.is_nan()) || saturated;
  // Overflow and underflow to a value of the format are right, however large the relative error is.
  if (right && (nearest.is_zero() || !nearest.is_finite()))
    return judgement;
  judgement.relative = numeric::relative_error(computed, reference);
  judgement.absolute = numeric::absolute_error(computed, reference);
  if (reference.is_finite() && std::fabs(reference.to_double()) < floor)
    judgement.relative = judgement.absolute / floor;
  judgement.ulps = numeric::ulp_error(computed, reference, cell.type.format);
  judgement.bits = numeric::bits_of_error(judgement.ulps);
  return judgement;
}

bool OutputJudgement::is_certain() const {
  constexpr int64_t margin = 4;
  return good_bits > 1000 || relative > std::ldexp(1.0, int(margin - good_bits));
}

bool is_as_good_as_zero(const Reference& reference, numeric::Format format, double floor) {
  constexpr int spare_bits = 16;
  const numeric::FormatInfo& info = numeric::info(format);
  const int smallest = info.min_exponent - info.precision; // half the smallest subnormal
  const int64_t limit = floor > 0 ? std::max(std::ilogb(floor), smallest) - spare_bits : smallest;
  if (!reference.value.is_finite() || reference.error > limit)
    return false;
  return reference.value.is_zero() || mpfr_get_exp(reference.value.raw()) <= limit;
}

size_t among_floats(const model::Target& target, size_t output) {
  size_t before = 0;
  for (size_t i = 0; i < output; ++i)
    before += target.outputs[i].type.floating;
  return before;
}

std::vector<numeric::Format> formats_of(const model::Target& target, const std::vector<size_t>& outputs) {
  std::vector<numeric::Format> formats;
  for (size_t output : outputs)
    formats.push_back(target.outputs[output].type.format);
  return formats;
}

bool ReferenceSequence::add(std::vector<Reference> finer, std::span<const numeric::Format> formats, uint64_t path) {
  bool settled = !last_.empty();
  const bool same_path = path == std::exchange(path_, path);
  for (size_t i = 0; i < finer.size(); ++i) {
    if (last_.empty() || agree(last_[i], finer[i], formats[i]))
      continue; // a known value stays, however small
    const bool was_zero = same_path && is_as_good_as_zero(last_[i], formats[i], floor_);
    if (was_zero && is_as_good_as_zero(finer[i], formats[i], floor_))
      finer[i] = {numeric::BigFloat(0.0L, 64), ops::no_error};
    else
      settled = false;
  }
  last_ = std::move(finer);
  return settled;
}

bool agree(const Reference& coarse, const Reference& fine, numeric::Format format) {
  constexpr int spare_bits = 16, fewest = 8, no_progress = 4;
  const int precision = numeric::info(format).precision;
  const bool limited = fine.good_bits() >= fewest && fine.good_bits() <= coarse.good_bits() + no_progress;
  if (fine.good_bits() < precision + spare_bits && !limited)
    return false;
  const numeric::BigFloat &a = coarse.value, &b = fine.value;
  if (a.is_nan() || b.is_nan())
    return a.is_nan() && b.is_nan();
  if (a == b)
    return true;
  if (!a.is_finite() || !b.is_finite() || a.is_zero() || b.is_zero())
    return false;
  numeric::BigFloat difference(b.precision());
  mpfr_sub(difference.raw(), a.raw(), b.raw(), MPFR_RNDN);
  return mpfr_get_exp(difference.raw()) <= mpfr_get_exp(b.raw()) - precision - spare_bits;
}

} // namespace faultline::oracle
