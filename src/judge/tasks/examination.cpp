#include "judge/tasks/examination.h"

#include "judge/number.h"
#include "numeric/ordered.h"
#include "numeric/ulp.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline::judge {

using finding::Examined;
using finding::Expectation;
using finding::Finding;
using finding::Kind;
using finding::OracleName;
using numeric::BigFloat;
using numeric::Format;
using oracle::OutputJudgement;

namespace {

constexpr size_t most_inputs = 1024; // that are moved one after the other
constexpr double few = 8;

// To the next value, away from infinity.
long double moved(long double value, const frontend::Type& type) {
  const long double up = numeric::next_up(value, type.format);
  return std::isfinite(up) ? up : numeric::next_down(value, type.format);
}

// Neither zero nor infinite when it is rounded.
bool is_ordinary(BigFloat reference, Format format) {
  reference.round_to(format);
  const long double nearest = reference.to_long_double();
  return nearest != 0 && std::isfinite(nearest);
}

// Looks at one input in a worker.
class Examination {
public:
  Examination(exec::Session& session, Judge& judge) : session_(session), judge_(judge) {}

  // The expectation, or why there is none.
  Examined of(const exec::Input& input, const Finding& finding) {
    const std::vector<OutputJudgement> outputs = judged(input);
    if (outputs.empty())
      return {{}, "what is right there is not known"};
    const OutputJudgement& chosen = this->chosen(outputs, finding);
    if (chosen.unset)
      return {{}, "exact arithmetic takes the other branch, and does not set the output"};
    if (judge_.arrays().is_matched(chosen.output))
      return {{}, "its order or its sign is free, and a test would demand this one"};
    const frontend::Cell& cell = session_.target().outputs[chosen.output];
    // A test compares one value: of an array's element its own error counts.
    const OutputJudgement worst = judge_.arrays().norm_of(chosen.output).empty()
                                      ? chosen
                                      : oracle::measure(chosen.output, cell, chosen.computed, chosen.reference);
    double unavoidable = 0;
    double bound = worst.ulps / 4;
    if (finding.kind != Kind::branch_flip) {
      unavoidable = cost_of_rounded_inputs(input, worst);
      bound = few * (1 + unavoidable);
    }
    if (!is_ordinary(worst.reference, cell.type.format))
      return {{}, "the exact result is zero or out of range"};
    if (worst.ulps <= few)
      return {{}, "the result is right all the same"};
    if (finding.kind != Kind::branch_flip && !(worst.ulps > bound))
      return {{}, "the error is no larger than rounding the inputs can make it"};
    if (!std::isfinite(bound))
      bound = few; // of an infinite jump
    return {Expectation{worst.output, number_of(worst.reference, cell.type), number_of(worst.computed, cell.type),
                        finite(worst.ulps), finite(bound), finite(unavoidable)},
            ""};
  }

private:
  static double finite(double value) { return std::min(value, std::numeric_limits<double>::max()); }

  // None: the oracle does not know.
  std::vector<OutputJudgement> judged(const exec::Input& input) {
    const exec::Run& run = session_.run(input);
    if (run.outcome != exec::Outcome::returned || judge_.oracle() == OracleName::none)
      return {};
    const tape::Tape tape(run, session_.sites(), input.size());
    oracle::Judgement judgement = judge_.judge(input, tape);
    if (judgement.certainty != oracle::Certainty::known)
      return {};
    return std::move(judgement.outputs);
  }

  // The finding's output, or the one that is wrong most.
  const OutputJudgement& chosen(const std::vector<OutputJudgement>& outputs, const Finding& finding) const {
    auto named = [&](const OutputJudgement& output) {
      return finding.output && session_.target().outputs[output.output].name == finding.output->name;
    };
    if (const auto found = std::ranges::find_if(outputs, named); found != outputs.end())
      return *found;
    return *std::ranges::max_element(outputs, {}, &OutputJudgement::ulps);
  }

  // In ulps of the output; infinity where the exact result next to the input is not known.
  double cost_of_rounded_inputs(const exec::Input& input, const OutputJudgement& at) {
    constexpr double unknown = std::numeric_limits<double>::infinity();
    const std::vector<frontend::Cell>& cells = session_.target().inputs;
    if (cells.size() > most_inputs)
      return unknown;
    double sum = 0;
    for (size_t i = 0; i < cells.size(); ++i) {
      if (!cells[i].type.floating || input[i] == 0 || !std::isfinite(input[i]))
        continue;
      exec::Input near = input;
      near[i] = moved(input[i], cells[i].type);
      const std::vector<OutputJudgement> outputs = judged(near);
      const auto same = std::ranges::find(outputs, at.output, &OutputJudgement::output);
      if (same == outputs.end())
        return unknown;
      sum += numeric::ulp_error(same->reference.to_long_double(), at.reference,
                                session_.target().outputs[at.output].type.format) /
             2;
    }
    return sum;
  }

  exec::Session& session_;
  Judge& judge_;
};

} // namespace

void examine(exec::Session& session, Judge& judge, const finding::ExamineTask& task, const Tell& tell) {
  Examination examination(session, judge);
  for (const auto& [input, finding] : task.findings)
    tell(examination.of(input, finding));
}

} // namespace faultline::judge
