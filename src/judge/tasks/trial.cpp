#include "judge/tasks/trial.h"

#include "base/error.h"
#include "exec/guard.h"
#include "explain/conditioning.h"
#include "judge/diagnosis/completion.h"
#include "judge/judge.h"
#include "judge/space_of_target.h"
#include "judge/tasks/work.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::judge {

using namespace model;
using exec::Input;
using numeric::Value;
using oracle::OutputJudgement;

namespace {

// What a change may cost (trial.h), and what it must gain to be better.
constexpr double most_factor = 2, most_ulps = 4, clearly = 2;
constexpr size_t most_counterexamples = 16; // of a message
constexpr uint32_t telling_flags = exec::flag_invalid | exec::flag_divide_by_zero | exec::flag_overflow;

// The result of a native run, which the next run does not overwrite.
struct NativeResult {
  exec::Outcome outcome;
  std::string ending;
  uint32_t flags;
  int error_number;
  std::vector<Value> outputs;
};

// NaN as the largest error.
double size_or_infinity(double error) { return std::isnan(error) ? std::numeric_limits<double>::infinity() : error; }

bool is_same_number(Value a, Value b) {
  return (a == b && std::signbit(a) == std::signbit(b)) || (std::isnan(a) && std::isnan(b));
}

class Trial {
public:
  Trial(exec::Session& changed, exec::Session& original, const Settings& settings, const TrialTask& task)
      : changed_(changed), original_(original), task_(task), outputs_(judged_outputs(original.target(), settings)),
        judge_(original, settings, outputs_, nullptr), space_(space_of(original.target(), settings)),
        everyday_(search::everyday_part(space_)), draws_(space_, everyday_, numeric::Rng(settings.seed)) {}

  TrialDone run() {
    for (const Input& input : task_.first)
      try_first(input);
    for (const Input& input : special_inputs(space_))
      try_on(input, Wanted::harm);
    for (uint64_t i = 0; i < task_.measured && !is_over(); ++i)
      try_on(draws_.ordinary(), Wanted::everyday_error);
    for (uint64_t i = 0; i < task_.measured && !is_over(); ++i)
      try_on(space_.sample_floats(draws_.rng()), Wanted::error);
    for (uint64_t i = 0; done_.tried < task_.inputs && !is_over(); ++i)
      try_on(drawn(i), Wanted::harm);
    if (measured_ > 0) {
      done_.before.bits /= double(measured_);
      done_.after.bits /= double(measured_);
    }
    done_.cost = cost();
    return std::move(done_);
  }

private:
  // What is to be known at an input: whether it does harm, or also both errors.
  enum class Wanted : uint8_t { harm, error, everyday_error };

  bool is_over() const { return done_.worse >= most_counterexamples || original_.asked_to_stop(); }

  Input drawn(uint64_t i) {
    if (!task_.borders.empty() && i % 4 == 0)
      return at_border(task_.borders[(i / 4) % task_.borders.size()]);
    if (!task_.first.empty() && i % 4 == 1)
      return draws_.near(task_.first[(i / 4) % task_.first.size()]);
    return i % 8 == 2 ? draws_.any() : i % 8 == 6 ? everyday_.sample_alike(draws_.rng()) : draws_.ordinary();
  }

  // From next to the border to a few times as far from 0.
  Input at_border(const std::pair<uint64_t, Value>& border) {
    Input input = draws_.ordinary();
    const search::Dimension& dimension = space_.dimensions[border.first];
    const Value sign = draws_.rng().coin() ? 1 : -1;
    const Value part = std::ldexp(Value(draws_.rng().uniform(0.5, 1)), -int(draws_.rng().below(54)));
    input[border.first] = dimension.nearest(border.second * (1 + sign * part));
    return space_.legal(std::move(input));
  }

  NativeResult native(exec::Session& session, const Input& input) const {
    const exec::Run& run = session.run_native(input);
    NativeResult result{
        run.outcome, exec::end_words(run.outcome, run.ending), run.flags, run.errno_used ? run.error_number : 0, {}};
    for (const exec::OutputValue& output : run.outputs)
      result.outputs.push_back(output.value);
    return result;
  }

  void try_first(const Input& input) {
    const double before = done_.before.anywhere, after = done_.after.anywhere;
    done_.before.anywhere = done_.after.anywhere = 0;
    const uint64_t better = done_.better;
    try_on(input, Wanted::error);
    done_.shown = done_.shown || done_.better > better || last_wrong_;
    done_.before.first = std::max(done_.before.first, last_before_);
    done_.after.first = std::max(done_.after.first, last_after_);
    done_.before.anywhere = std::max(done_.before.anywhere, before);
    done_.after.anywhere = std::max(done_.after.anywhere, after);
  }

  void try_on(const Input& input, Wanted wanted) {
    last_wrong_ = false;
    last_before_ = last_after_ = 0;
    if (!space_.allows(input))
      return;
    ++done_.tried;
    const NativeResult before = native(original_, input), after = native(changed_, input);
    if (before.outcome != after.outcome || before.ending != after.ending) {
      if (before.outcome == exec::Outcome::returned)
        note_worse(input, fmt::format("it {}", after.ending));
      else
        note_worse(input, fmt::format("the original {}, and the change does not", before.ending));
      return;
    }
    if (before.outcome != exec::Outcome::returned)
      return;
    for (size_t i = 0; i < before.outputs.size(); ++i)
      if (!original_.target().outputs[i].type.floating && before.outputs[i] != after.outputs[i]) {
        note_worse(input, fmt::format("{} is {} and not {}", original_.target().outputs[i].name,
                                      numeric::shortest_decimal(after.outputs[i]),
                                      numeric::shortest_decimal(before.outputs[i])));
        return;
      }
    const bool raises =
        (after.flags & ~before.flags & telling_flags) != 0 || (after.error_number != 0 && before.error_number == 0);
    if (wanted != Wanted::harm || raises || differ(before, after))
      compare(input, before, after, wanted, raises);
  }

  // True if they differ by more than a change may cost. Half an ulp of the reference is not known here.
  bool differ(const NativeResult& before, const NativeResult& after) const {
    constexpr double safely = most_ulps - 1;
    for (const size_t output : outputs_) {
      const Value a = before.outputs[output], b = after.outputs[output];
      if (is_same_number(a, b))
        continue;
      const numeric::Format format = original_.target().outputs[output].type.format;
      if (!std::isfinite(a) || !std::isfinite(b) ||
          !(numeric::ulp_error(b, numeric::BigFloat(a, 64), format) <= safely))
        return true;
    }
    return false;
  }

  // Relative error that the rounding of the inputs explains.
  double unavoidable(const tape::Tape& tape, size_t output, const tape::Replay& exact) const {
    const uint32_t record = tape.outputs()[output].record;
    if (record == 0)
      return 0;
    const double found = explain::conditioning(tape, record, exact, 0).unavoidable;
    return std::isfinite(found) ? explain::few_roundings * found : 0;
  }

  // The same where derivatives leave the range of doubles: by how much the exact output changes when each input moves
  // by half an ulp.
  double moved(const Input& input, const OutputJudgement& at) {
    constexpr size_t most_moved = 12; // inputs
    const std::vector<size_t> free = space_.free_floats();
    double change = 0;
    if (free.size() > most_moved || !at.reference.is_finite() || at.reference.is_zero())
      return 0;
    for (const size_t i : free) {
      Input other = input;
      const search::Dimension& dimension = space_.dimensions[i];
      other[i] = dimension.at_within(dimension.order(input[i]) + (input[i] < dimension.high ? 1 : -1));
      const exec::KeptRun run(original_.run(other));
      if (run->outcome != exec::Outcome::returned)
        continue;
      const oracle::Judgement there = judge_.judge(other, tape::Tape(*run, original_.sites(), other.size()));
      const auto same = std::ranges::find(there.outputs, at.output, &OutputJudgement::output);
      if (there.certainty != oracle::Certainty::known || same == there.outputs.end())
        continue;
      numeric::BigFloat difference(at.reference.precision());
      mpfr_sub(difference.raw(), same->reference.raw(), at.reference.raw(), MPFR_RNDN);
      mpfr_div(difference.raw(), difference.raw(), at.reference.raw(), MPFR_RNDN);
      change += std::fabs(difference.to_double()) / 2;
    }
    return change;
  }

  void compare(const Input& input, const NativeResult& before, const NativeResult& after, Wanted wanted, bool raises) {
    const exec::KeptRun run(original_.run(input));
    if (run->outcome != exec::Outcome::returned || run->refused_at) {
      done_.unknown += run->outcome != exec::Outcome::returned;
      return; // a result after a refusal means nothing
    }
    const tape::Tape tape(*run, original_.sites(), input.size());
    const oracle::Judgement judgement = judge_.judge(input, tape);
    if (judgement.certainty != oracle::Certainty::known) {
      ++done_.unknown;
      return;
    }
    std::optional<tape::Replay> exact; // for conditioning
    bool worse = false, better = false, right = true;
    double bits_before = 0, bits_after = 0;
    std::string why;
    for (const OutputJudgement& judged : judgement.outputs) {
      if (judged.unset)
        continue;
      const Cell& cell = original_.target().outputs[judged.output];
      // Outside of the domain, or a pole: there is nothing to be right about. Far from everyday inputs an infinity may
      // be one of the exact arithmetic, whose exponents end somewhere, too.
      if (judged.reference.is_nan() || (judged.reference.is_inf() && (!std::isfinite(after.outputs[judged.output]) ||
                                                                      !search::is_everyday(space_, input)))) {
        right = false;
        continue;
      }
      right = right && std::isfinite(after.outputs[judged.output]);
      const OutputJudgement own = oracle::measure(judged.output, cell, before.outputs[judged.output], judged.reference);
      const OutputJudgement now = oracle::measure(judged.output, cell, after.outputs[judged.output], judged.reference);
      const double old_ulps = size_or_infinity(own.ulps), new_ulps = size_or_infinity(now.ulps);
      right = right && old_ulps <= most_ulps;
      const double most_bits = 8 * double(cell.type.bytes()); // as many as the format has
      bits_before = std::max(bits_before, std::min(numeric::bits_of_error(old_ulps), most_bits));
      bits_after = std::max(bits_after, std::min(numeric::bits_of_error(new_ulps), most_bits));
      const double old_error = size_or_infinity(own.relative), new_error = size_or_infinity(now.relative);
      const bool more = new_ulps > std::max(most_factor * old_ulps, old_ulps + most_ulps) && !(old_ulps >= new_ulps);
      double excuse = 0;
      if (more || (wanted != Wanted::harm && std::max(old_ulps, new_ulps) > most_ulps)) {
        if (!exact)
          exact = tape::replay(tape, std::max(judgement.precision, 2 * oracle::first_precision));
        excuse = unavoidable(tape, judged.output, *exact);
      }
      if (more && now.is_certain() && new_error > excuse && new_error > explain::few_roundings * moved(input, judged)) {
        worse = true;
        why = fmt::format("the error of {} is {:.2g} ulps, and was {:.2g}", cell.name, new_ulps, old_ulps);
      }
      last_before_ = std::max(last_before_, old_error > excuse ? old_error : 0);
      last_after_ = std::max(last_after_, new_error > excuse ? new_error : 0);
      better = better || (old_ulps > most_ulps && new_ulps * clearly < old_ulps);
      last_wrong_ = last_wrong_ || (old_ulps > most_ulps && old_error > excuse);
      if (wanted != Wanted::harm) {
        note(done_.before, old_error > excuse && old_ulps > most_ulps ? old_error : 0, wanted);
        note(done_.after, new_error > excuse && new_ulps > most_ulps ? new_error : 0, wanted);
      }
    }
    if (wanted == Wanted::everyday_error) {
      ++measured_;
      done_.before.bits += bits_before;
      done_.after.bits += bits_after;
    }
    if (raises && right && !worse && search::is_everyday(space_, input)) {
      worse = true;
      why = (after.flags & ~before.flags & telling_flags) != 0 ? "it raises an exception that the original does not"
                                                               : "it sets errno, and the original does not";
    }
    done_.better += better && !worse;
    if (worse)
      note_worse(input, why);
  }

  static void note(TrialErrors& errors, double relative, Wanted wanted) {
    errors.anywhere = std::max(errors.anywhere, relative);
    if (wanted == Wanted::everyday_error)
      errors.everyday = std::max(errors.everyday, relative);
  }

  void note_worse(const Input& input, const std::string& why) {
    ++done_.worse;
    if (done_.counterexamples.size() < most_counterexamples)
      done_.counterexamples.push_back(input);
    if (done_.why.empty()) {
      std::vector<std::string> values;
      for (size_t i = 0; i < input.size() && i < 4; ++i)
        values.push_back(fmt::format("{}={}", space_.dimensions[i].name, numeric::shortest_decimal(input[i])));
      done_.why = fmt::format("at {}, {}", fmt::join(values, " "), why).substr(0, TrialDone::longest);
    }
  }

  // The median over some inputs of the ratio of the run times. Counts that give some tens of milliseconds in all.
  double cost() {
    constexpr uint64_t places = 9, calls = 20'000;
    std::vector<double> ratios;
    for (uint64_t i = 0; i < places && !original_.asked_to_stop(); ++i) {
      const Input input = i < task_.first.size() ? task_.first[i] : draws_.ordinary();
      const double probe = original_.time_native(input, 16) / 16; // slow functions are called less often
      const uint64_t count = probe > 0 ? std::clamp(uint64_t(2e-3 / probe), uint64_t(1), calls) : calls;
      const double before = std::min(original_.time_native(input, count), original_.time_native(input, count));
      const double after = std::min(changed_.time_native(input, count), changed_.time_native(input, count));
      if (before > 0 && after > 0)
        ratios.push_back(after / before);
    }
    if (ratios.empty())
      return 1;
    std::ranges::nth_element(ratios, ratios.begin() + long(ratios.size() / 2));
    return ratios[ratios.size() / 2];
  }

  exec::Session& changed_;
  exec::Session& original_;
  const TrialTask& task_;
  std::vector<size_t> outputs_;
  Judge judge_;
  search::Space space_, everyday_;
  TrialInputs draws_;
  TrialDone done_;
  uint64_t measured_ = 0;
  bool last_wrong_ = false; // of the last input
  double last_before_ = 0, last_after_ = 0;
};

} // namespace

void try_change(exec::Session& changed, exec::Reference& original, const Settings& settings, const TrialTask& task,
                const Tell& tell) {
  const model::Target &a = original.session()->target(), &b = changed.target();
  const auto names = [](const std::vector<Cell>& cells) {
    std::vector<std::string> all;
    for (const Cell& cell : cells)
      all.push_back(fmt::format("{} {}", cell.name, cell.type.name()));
    return all;
  };
  if (names(a.inputs) != names(b.inputs) || names(a.outputs) != names(b.outputs))
    throw base::UserError(base::status_unsuitable,
                          fmt::format("the changed {} has other inputs or outputs than the original", a.function),
                          "a patch keeps the interface of the function");
  tell(Trial(changed, *original.session(), settings, task).run());
}

} // namespace faultline::judge
