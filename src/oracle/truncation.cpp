#include "oracle/truncation.h"

#include "tape/turns.h"

#include <algorithm>
#include <cmath>

namespace faultline::oracle {
namespace {

constexpr long precision = 256;               // allows tightened tolerances of 2^-53
constexpr int tightenings[] = {4, 8, 16, 32}; // bits: slow series pay for each, fast ones have settled by the second
constexpr double settled_below = 0x1p-60;     // relative: undetectable in a format of 53 bits
constexpr double least_progress = 0.75; // of the previous step; linear convergence makes steps of one half or less

// |from - to| / |to|
double distance(const numeric::BigFloat& from, const numeric::BigFloat& to) {
  numeric::BigFloat difference(precision);
  mpfr_sub(difference.raw(), from.raw(), to.raw(), MPFR_RNDN);
  if (difference.is_zero())
    return 0;
  mpfr_div(difference.raw(), difference.raw(), to.raw(), MPFR_RNDN);
  return std::fabs(difference.to_double());
}

// The progress of one result from tolerance to tolerance.
struct Course {
  numeric::BigFloat last;
  double step = HUGE_VAL; // relative
  int steps = 0;
  bool tends = true, settled = false;

  void add(const numeric::BigFloat& next) {
    const double moved = distance(last, next);
    settled = moved < settled_below;
    tends = tends && next.is_finite() && (settled || steps == 0 || moved <= least_progress * step);
    step = moved;
    ++steps;
    last = next;
  }
};

// Returns the exit of the loop that ended last, which is the one to report.
uint32_t last_exit(const std::vector<tape::Tolerance>& tolerances) {
  return std::ranges::max(tolerances, {}, &tape::Tolerance::compared).compared;
}

using Courses = std::vector<Course>;

Courses begin(const Judgement& judgement) {
  Courses courses;
  for (const OutputJudgement& output : judgement.outputs)
    courses.push_back({.last = output.reference});
  return courses;
}

bool are_done(const Courses& courses) {
  return std::ranges::all_of(courses, [](const Course& course) { return course.settled || !course.tends; });
}

// Sets the limits as references of outputs that moved. Returns the largest movement.
double apply(Judgement& judgement, const Courses& courses, const model::Target& target, const Truncation& loop,
             double least, double floor) {
  double furthest = 0;
  for (size_t i = 0; i < courses.size(); ++i) {
    OutputJudgement& output = judgement.outputs[i];
    const Course& course = courses[i];
    if (!course.tends || course.steps < 2 || !output.reference.is_finite())
      continue;
    const double moved = distance(output.reference, course.last);
    furthest = std::max(furthest, moved);
    if (!(moved > least && moved > output.relative))
      continue;
    Truncation truncation = loop;
    truncation.exact = output.reference;
    truncation.settled = course.settled;
    output = measure(output.output, target.outputs[output.output], output.computed, course.last, floor);
    output.truncation = std::move(truncation);
  }
  return furthest;
}

} // namespace

uint64_t most_operations_near(const tape::Tape& tape) { return 100'000 + 20 * uint64_t(tape.size()); }

std::optional<double> look_for_truncation(Judgement& judgement, exec::Session& session, const exec::Input& input,
                                          const tape::Tape& tape, double least, double floor) {
  const std::vector<tape::Tolerance> tolerances = tape::tolerances(tape);
  if (tolerances.empty() || judgement.certainty != Certainty::known)
    return std::nullopt;
  for (const tape::Tolerance& tolerance : tolerances)
    session.note_tolerance(tolerance.site, tolerance.operand);
  Courses courses = begin(judgement);
  const exec::LiftedLimit limit(session, most_operations_near(tape));
  for (const int tightening : tightenings) {
    const exec::LiftedRun run = session.lift(input, precision, exec::LiftedFor::search, {.tightening = tightening});
    if (run.outcome != exec::Outcome::returned)
      break;
    for (size_t i = 0; i < courses.size(); ++i)
      courses[i].add(run.outputs[among_floats(session.target(), judgement.outputs[i].output)]);
    if (are_done(courses))
      break;
  }
  return apply(judgement, courses, session.target(),
               Truncation{last_exit(tolerances), 0, numeric::BigFloat(precision), false}, least, floor);
}

std::optional<double> look_at_turns(Judgement& judgement, const model::Target& target, const tape::Tape& tape,
                                    double least, double floor) {
  if (judgement.certainty != Certainty::known || judgement.flip)
    return std::nullopt;
  std::vector<uint32_t> outputs;
  for (const OutputJudgement& output : judgement.outputs) {
    outputs.push_back(tape.outputs()[output.output].record);
    if (outputs.back() == 0)
      return std::nullopt;
  }
  const std::optional<tape::Turns> turns = tape::last_turns(tape);
  if (!turns)
    return std::nullopt;
  Courses courses = begin(judgement);
  constexpr uint32_t most_carried_on = 1u << 16; // records
  for (const uint32_t times : {1u, 3u, 7u, 15u}) {
    const uint32_t more = times * turns->count;
    if (uint64_t(more) * turns->length > most_carried_on)
      break;
    const std::vector<numeric::BigFloat> values = tape::after_more_turns(tape, *turns, more, outputs, precision);
    for (size_t i = 0; i < values.size(); ++i)
      courses[i].add(values[i]);
    if (values.empty() || are_done(courses))
      break;
  }
  return apply(judgement, courses, target,
               Truncation{turns->end() - 1, turns->count, numeric::BigFloat(precision), false}, least, floor);
}

} // namespace faultline::oracle
