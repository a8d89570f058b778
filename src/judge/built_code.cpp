#include "judge/built_code.h"

#include "base/error.h"
#include "exec/guard.h"
#include "judge/given_input.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {

using namespace model;

namespace {

// A run whose values stay valid.
struct Ran {
  explicit Ran(const exec::Run& run) : outcome(run.outcome), flags(run.flags), ending(run.ending) {
    for (const exec::OutputValue& output : run.outputs)
      outputs.push_back(output.value);
  }

  exec::Outcome outcome;
  uint32_t flags;
  exec::Ending ending;
  exec::Input outputs;
};

bool is_same(const Ran& a, const Ran& b) {
  if (a.outcome != b.outcome)
    return false;
  return a.outcome == exec::Outcome::returned ? exec::same_bits(a.outputs, b.outputs) : a.ending == b.ending;
}

// True for an end that says nothing about the code: its effect on memory is undefined, or a part of it is not there.
bool tells_nothing(exec::Outcome outcome) {
  return outcome == exec::Outcome::missing || outcome == exec::Outcome::killed ||
         outcome == exec::Outcome::illegal_instruction || outcome == exec::Outcome::out_of_bounds ||
         outcome == exec::Outcome::overrun;
}

uint32_t flag_of(Kind kind) {
  switch (kind) {
  case Kind::overflow:
    return exec::flag_overflow;
  case Kind::underflow:
    return exec::flag_underflow;
  case Kind::divide_by_zero:
    return exec::flag_divide_by_zero;
  default:
    return exec::flag_invalid;
  }
}

// Values that an exception makes: results of one sort are the same failure.
enum class Sort { ordinary, zero, infinity, nan };
Sort sort_of(numeric::Value value) {
  return std::isnan(value) ? Sort::nan : std::isinf(value) ? Sort::infinity : value == 0 ? Sort::zero : Sort::ordinary;
}

class BuildComparison {
public:
  BuildComparison(exec::Session& session, Judge& judge, double floor)
      : session_(session), judge_(judge), floor_(floor) {}

  // Says how the results differ; empty if the machine code shows the same failure, or if that is not known.
  std::string difference(const exec::Input& input, const Finding& finding) {
    const Ran ours(session_.run_native(input)), theirs(session_.run_built(input));
    if (is_same(ours, theirs) || tells_nothing(ours.outcome) || tells_nothing(theirs.outcome))
      return {};
    if (ours.outcome != exec::Outcome::returned || theirs.outcome != exec::Outcome::returned)
      return is_ending(finding.kind) == (theirs.outcome == exec::Outcome::returned) ? words(finding, ours, theirs) : "";
    return shows_failure(input, finding, ours, theirs) ? "" : words(finding, ours, theirs);
  }

private:
  bool shows_failure(const exec::Input& input, const Finding& finding, const Ran& ours, const Ran& theirs) {
    const std::optional<size_t> output = output_of(finding);
    if (is_ending(finding.kind) || (output && exec::same_bits({ours.outputs[*output]}, {theirs.outputs[*output]})))
      return true; // the code that was analysed returns without instrumentation, too
    if (is_error(finding.kind))
      return fails(input, finding, theirs);
    if (!finding.aftermath || !finding.aftermath->reaches_output || !output)
      return (theirs.flags & flag_of(finding.kind)) != 0;
    const Sort sort = sort_of(ours.outputs[*output]);
    return sort != Sort::ordinary ? sort == sort_of(theirs.outputs[*output]) : fails(input, finding, theirs);
  }

  // True if a result of the machine code is as wrong as a finding must be, or if that is not known.
  bool fails(const exec::Input& input, const Finding& finding, const Ran& theirs) {
    const exec::Run run = session_.run(input);
    if (run.outcome != exec::Outcome::returned)
      return true;
    oracle::Judgement judgement = judge_.judge(input, tape::Tape(run, session_.sites(), input.size()));
    if (judgement.certainty != oracle::Certainty::known)
      return true;
    for (oracle::OutputJudgement& output : judgement.outputs) {
      oracle::OutputJudgement measured = oracle::measure(output.output, session_.target().outputs[output.output],
                                                         theirs.outputs[output.output], output.reference, floor_);
      measured.good_bits = output.good_bits;
      measured.unset = output.unset;
      output = std::move(measured);
    }
    judge_.arrays().measure(judgement);
    return std::ranges::any_of(judgement.outputs, [&](const oracle::OutputJudgement& output) {
      const bool is_lost = !std::isfinite(output.computed) && output.reference.is_finite();
      return is_lost || judge_.counts(output) || (finding.half_digits && judge_.is_half_lost(input, output));
    });
  }

  std::optional<size_t> output_of(const Finding& finding) const {
    const std::vector<Cell>& outputs = session_.target().outputs;
    const auto found = finding.output ? std::ranges::find(outputs, finding.output->name, &Cell::name) : outputs.end();
    return found == outputs.end() ? std::nullopt : std::optional(size_t(found - outputs.begin()));
  }

  // The output that the finding names, or else the first one that differs.
  size_t telling_output(const Finding& finding, const Ran& ours, const Ran& theirs) const {
    if (const std::optional<size_t> output = output_of(finding))
      return *output;
    for (size_t i = 0; i < ours.outputs.size(); ++i)
      if (!exec::same_bits({ours.outputs[i]}, {theirs.outputs[i]}))
        return i;
    return 0;
  }

  std::string words(const Finding& finding, const Ran& ours, const Ran& theirs) const {
    const size_t output = telling_output(finding, ours, theirs);
    const auto result = [&](const Ran& ran) {
      if (ran.outcome != exec::Outcome::returned)
        return fmt::format("ends with: {}", exec::end_words(ran.outcome, ran.ending));
      const Cell& cell = session_.target().outputs[output];
      const std::string value = number_of(ran.outputs[output], cell.type).decimal;
      return cell.name == "return" ? "returns " + value : fmt::format("sets {} to {}", cell.name, value);
    };
    return fmt::format("the library as built{}{} {}; compiled by clang 19 it {}",
                       session_.builder().empty() ? "" : " by ", session_.builder(), result(theirs), result(ours));
  }

  exec::Session& session_;
  Judge& judge_;
  double floor_;
};

} // namespace

void compare_with_build(exec::Session& session, Judge& judge, const Settings& settings, const BuiltCodeTask& task,
                        const Tell& tell) {
  BuildComparison comparison(session, judge, settings.floor);
  for (const auto& [input, finding] : task.findings)
    tell(BuiltAnswer{comparison.difference(input, finding)});
}

} // namespace faultline::judge
