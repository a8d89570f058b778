#include "oracle/lifted.h"

#include "ops/table.h"
#include "tape/path.h"
#include "tape/replay.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::oracle {

namespace {

// Certainty of decisions: exact arithmetic may make one differently for certain, or the precision may be too small. A
// zero pivot is a tiny number of either sign at any precision that rounds on the way to it. So a comparison is certain
// if the difference is larger than its error. At a very high precision it is also certain if both are so small that the
// difference must be zero, and the decision is that for zero.
constexpr uint64_t most_bytes = 256u << 20; // of a tape in high precision
constexpr int64_t margin = 4;               // bits: the error is of first order

struct KnownValue {
  numeric::BigFloat value;
  ops::ErrorExponent error;
};

KnownValue known_value(const tape::Tape& tape, const tape::Replay& exact, uint32_t operand) {
  if (runtime::is_constant(operand))
    return {numeric::BigFloat(tape.exact(operand), 64), ops::no_error};
  return {exact.values[operand], exact.errors[operand]};
}

// At this precision, a difference that no format can distinguish from zero is zero: the pivot of a singular matrix.
constexpr long tie_precision = 2048;
constexpr int64_t nothing = -1100;

bool compares_certainly(const KnownValue& a, const KnownValue& b, ops::Op op, int64_t outcome, long precision) {
  const ops::ErrorExponent error = std::max(a.error, b.error);
  if (error == ops::no_error)
    return true;
  numeric::BigFloat difference(std::max(a.value.precision(), b.value.precision()));
  mpfr_sub(difference.raw(), a.value.raw(), b.value.raw(), MPFR_RNDN);
  if (!difference.is_finite())
    return false;
  const int64_t size = difference.is_zero() ? ops::no_error : mpfr_get_exp(difference.raw());
  if (size > error + margin)
    return true;
  const bool tie = precision >= tie_precision && std::max(size, error) + margin < nothing;
  return tie && outcome == int64_t(ops::evaluate80(op, 0, 0));
}

// True if every number within the error converts to the same integer, truncated or rounded.
bool converts_certainly(const KnownValue& a) {
  if (a.error == ops::no_error)
    return true;
  if (!a.value.is_finite() || a.error + margin >= 0)
    return false;
  numeric::BigFloat step(2), low(2 * a.value.precision()), high(2 * a.value.precision());
  mpfr_set_si_2exp(step.raw(), 1, a.error + margin, MPFR_RNDN);
  mpfr_sub(low.raw(), a.value.raw(), step.raw(), MPFR_RNDD);
  mpfr_add(high.raw(), a.value.raw(), step.raw(), MPFR_RNDU);
  return mpfr_get_sj(low.raw(), MPFR_RNDZ) == mpfr_get_sj(high.raw(), MPFR_RNDZ) &&
         mpfr_get_sj(low.raw(), MPFR_RNDN) == mpfr_get_sj(high.raw(), MPFR_RNDN);
}

// Replays the tape at this precision up to the decision; until there, it has the lifted run's path too. Very long tapes
// are not replayed, and count as uncertain.
bool is_certain(const tape::Tape& tape, const tape::Divergence& flip, long precision) {
  constexpr uint64_t beside_the_bits = 64; // approximate overhead per number
  if (uint64_t(tape.size()) * (uint64_t(precision) / 8 + beside_the_bits) > most_bytes)
    return false;
  const tape::Replay exact = tape::replay(tape, precision);
  const uint32_t record = flip.branch.record;
  const KnownValue a = known_value(tape, exact, tape.operand(record, 0));
  if (ops::is_to_int(tape.site(record).op))
    return converts_certainly(a);
  return compares_certainly(a, known_value(tape, exact, tape.operand(record, 1)), tape.site(record).op, flip.lifted,
                            precision);
}

// How a lifted run ended without returning, by the code's choice, and where it left the taped run's path.
struct End {
  exec::Outcome outcome;
  tape::Divergence flip;
  int times = 1; // in a row
  // Required times; decisions after the flip are not checked one by one, and may be artefacts of the precision.
  int needed = 2;

  bool same_as(const End& other) const {
    return outcome == other.outcome && flip.branch.record == other.flip.branch.record &&
           flip.lifted == other.flip.lifted;
  }
};

// Considers only ends that the code chose; the others may be artefacts of the lifted run.
std::optional<End> end_of(const exec::LiftedRun& run, const tape::Tape& tape) {
  const bool chosen = run.outcome == exec::Outcome::exited || run.outcome == exec::Outcome::aborted ||
                      run.outcome == exec::Outcome::threw;
  const std::optional<tape::Divergence> flip = chosen ? tape::divergence(tape, run.decisions) : std::nullopt;
  if (!flip)
    return std::nullopt;
  size_t before = 0;
  for (const tape::Branch& branch : tape::path(tape))
    before += branch.record < flip->branch.record && tape.site(branch.record).op != ops::Op::decide;
  constexpr int at_once = 2, later = 4;
  return End{run.outcome, *flip, 1, run.decisions.size() == before + 1 ? at_once : later};
}

bool is_set(const exec::OutputValue& output) { return output.record != 0 || output.value != 0; }

// Measures the outputs against their references, which this run has settled.
Judgement measured(const model::Target& target, const tape::Tape& tape, const std::vector<size_t>& outputs,
                   const std::vector<Reference>& references, const exec::LiftedRun& run, double floor) {
  Judgement judgement;
  judgement.certainty = Certainty::known;
  judgement.works_on_bits = run.works_on_bits;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const exec::OutputValue& value = tape.outputs()[outputs[i]];
    OutputJudgement output = measure(outputs[i], target.outputs[outputs[i]], value.value, references[i].value, floor);
    output.good_bits = references[i].good_bits();
    output.unset = run.origins[among_floats(target, outputs[i])] == exec::Origin::unset && is_set(value);
    judgement.outputs.push_back(std::move(output));
  }
  judgement.flip = tape::divergence(tape, run.decisions);
  return judgement;
}

// Returns an output that the code does not set in high precision although the decision that leads there is uncertain,
// and may be an artefact of the precision; or null.
const OutputJudgement* doubtfully_unset(const Judgement& judgement, const tape::Tape& tape) {
  const auto output = std::ranges::find_if(judgement.outputs, &OutputJudgement::unset);
  const bool doubtful =
      output != judgement.outputs.end() && !(judgement.flip && is_certain(tape, *judgement.flip, judgement.precision));
  return doubtful ? &*output : nullptr;
}

// True if an output changes if the values whose bits the code looks at are rounded to the other neighbour.
bool depends_on_rounding(exec::Session& session, const exec::Input& input, long precision,
                         const std::vector<size_t>& outputs, const std::vector<Reference>& references) {
  const model::Target& target = session.target();
  const exec::LiftedRun run = session.lift(input, precision, exec::LiftedFor::oracle, {.other_neighbours = true});
  if (run.outcome != exec::Outcome::returned || !rounded_elsewhere(target, outputs, run).empty())
    return true;
  constexpr int64_t fewest_bits = 8; // a guess: a zero without a correct bit is no zero
  for (size_t i = 0; i < outputs.size(); ++i) {
    const numeric::Format format = target.outputs[outputs[i]].type.format;
    const size_t at = among_floats(target, outputs[i]);
    const Reference other{run.outputs[at], run.errors[at]};
    const bool lost = other.good_bits() < fewest_bits && !is_as_good_as_zero(other, format, 0);
    if (lost || are_apart(references[i].value, other.value, format))
      return true;
  }
  return false;
}

} // namespace

bool are_apart(const numeric::BigFloat& a, const numeric::BigFloat& b, numeric::Format format) {
  constexpr double few_ulps = 64; // a guess: methods are accurate to some ulps
  numeric::BigFloat first = a, second = b;
  first.round_to(format);
  second.round_to(format);
  if (first == second || (first.is_nan() && second.is_nan()))
    return false;
  return !(numeric::ulp_error(first.to_long_double(), b, format) <= few_ulps);
}

std::string rounded_elsewhere(const model::Target& target, const std::vector<size_t>& outputs,
                              const exec::LiftedRun& run) {
  for (size_t output : outputs)
    if (const std::string& cause = run.made_with[among_floats(target, output)]; !cause.empty())
      return fmt::format("{} depends on {}", target.outputs[output].name, cause);
  return {};
}

Judgement judge_lifted(exec::Session& session, const exec::Input& input, const tape::Tape& tape,
                       const std::vector<size_t>& outputs, double floor, long first) {
  const model::Target& target = session.target();
  const std::vector<numeric::Format> formats = formats_of(target, outputs);
  Judgement judgement;
  ReferenceSequence sequence(floor);
  std::optional<End> last_end;
  std::string unset_in_doubt;
  for (long precision = first; precision <= last_precision; precision *= 2) {
    exec::LiftedRun run = session.lift(input, precision);
    if (run.outcome != exec::Outcome::returned) {
      judgement.why_unknown = fmt::format("in high precision the code {}", exec::end_words(run.outcome, run.ending));
      std::optional<End> end = end_of(run, tape);
      if (!end)
        return judgement;
      if (last_end && end->same_as(*last_end))
        end->times = last_end->times + 1;
      if (end->times >= end->needed && is_certain(tape, end->flip, precision)) {
        judgement.ends = end->outcome;
        judgement.flip = end->flip;
        judgement.precision = precision;
        return judgement;
      }
      last_end = end;
      continue;
    }
    last_end.reset();
    if (std::string why = rounded_elsewhere(target, outputs, run); !why.empty()) {
      judgement.why_unknown = std::move(why);
      return judgement;
    }
    std::vector<Reference> references;
    for (size_t output : outputs) {
      const size_t at = among_floats(target, output);
      references.push_back({run.outputs[at], run.errors[at]});
    }
    if (!sequence.add(std::move(references), formats, run.path))
      continue;
    if (run.reads_bits && depends_on_rounding(session, input, precision, outputs, sequence.settled())) {
      judgement.why_unknown = "the code looks at the bits of rounded values, and their last bits decide";
      return judgement;
    }
    Judgement found = measured(target, tape, outputs, sequence.settled(), run, floor);
    found.precision = precision;
    const OutputJudgement* doubtful = doubtfully_unset(found, tape);
    if (!doubtful)
      return found;
    unset_in_doubt = target.outputs[doubtful->output].name;
    if (!found.flip)
      break;
  }
  if (!unset_in_doubt.empty())
    judgement.why_unknown =
        fmt::format("in high precision the code does not set {}, but it may in exact arithmetic", unset_in_doubt);
  else if (!last_end)
    judgement.why_unknown = fmt::format("no two precisions up to {} bits agree", last_precision);
  return judgement;
}

} // namespace faultline::oracle
