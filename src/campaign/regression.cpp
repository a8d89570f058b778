#include "campaign/regression.h"

#include "campaign/configuration.h"
#include "campaign/number.h"
#include "campaign/single_run.h"
#include "numeric/ordered.h"
#include "numeric/ulp.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <set>

namespace faultline::campaign {
namespace {

using numeric::BigFloat;
using numeric::Format;
using oracle::OutputJudgement;

constexpr size_t most_inputs = 1024; // that are moved one after the other
constexpr double few = 8;

std::string place(const Cause& cause) {
  return fmt::format("{} at {}:{}", cause.operation, std::filesystem::path(cause.file).filename().string(), cause.line);
}

// Why a finding of this kind is no test, whatever its input does now.
std::string reason_against(const Finding& finding) {
  if (finding.set_aside())
    return finding.suppressed ? "a comment in the source suppresses it" : "it is in the baseline";
  if (finding.kind == Kind::timeout)
    return "a call that does not come back would stop the other tests, too";
  if (finding.kind == Kind::crash || finding.kind == Kind::branch_flip)
    return "";
  if (finding.aftermath && finding.aftermath->harmless)
    return "it does no harm";
  switch (finding.verdict) {
  case Verdict::ill_conditioned:
    return "the problem is ill-conditioned there: rounding the inputs alone may change the result as much";
  case Verdict::inherent:
    return "the exact result is out of range, too";
  case Verdict::unknown: // of an error: the exact results around the input tell
    return is_error(finding.kind) ? "" : "it is not known whether it can be avoided";
  case Verdict::avoidable:
    return "";
  }
  return "";
}

long double moved(long double value, const frontend::Type& type) {
  switch (type.format) {
  case Format::binary32:
    return numeric::next_up(float(value));
  case Format::binary64:
    return numeric::next_up(double(value));
  default:
    return numeric::next_up(value);
  }
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
  Json of(const exec::Input& input, const Finding& finding) {
    const std::vector<OutputJudgement> outputs = judged(input);
    if (outputs.empty())
      return {{"left_out", "what is right there is not known"}};
    const OutputJudgement& worst = chosen(outputs, finding);
    const frontend::Cell& cell = session_.target().outputs[worst.output];
    double unavoidable = 0;
    double bound = worst.ulps / 4;
    if (finding.kind != Kind::branch_flip) {
      unavoidable = cost_of_rounded_inputs(input, worst);
      bound = few * (1 + unavoidable);
    }
    if (!is_ordinary(worst.reference, cell.type.format))
      return {{"left_out", "the exact result is zero or out of range"}};
    if (worst.ulps <= few)
      return {{"left_out", "the result is right all the same"}};
    if (finding.kind != Kind::branch_flip && !(worst.ulps > bound))
      return {{"left_out", "the error is no larger than rounding the inputs can make it"}};
    if (!std::isfinite(bound))
      bound = few; // of an infinite jump
    const Number reference = number_of(worst.reference, cell.type), computed = number_of(worst.computed, cell.type);
    return {{"output", worst.output},     {"reference", {reference.decimal, reference.hex}},
            {"ulps", finite(worst.ulps)}, {"computed", {computed.decimal, computed.hex}},
            {"bound", finite(bound)},     {"unavoidable", finite(unavoidable)}};
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

Expectation expectation_in(const Json& message) {
  auto number = [&](const char* key) {
    return Number{message.at(key).at(0).get<std::string>(), message.at(key).at(1).get<std::string>()};
  };
  return {message.at("output").get<size_t>(),
          number("reference"),
          number("computed"),
          message.at("ulps").get<double>(),
          message.at("bound").get<double>(),
          message.at("unavoidable").get<double>()};
}

// One of a finding's inputs, on the way to becoming a case.
struct Candidate {
  RegressionCase made;
  const Finding* finding;
  exec::Input input;
};

std::vector<Candidate> candidates_of(const TargetReport& report) {
  std::vector<Candidate> all;
  for (const Finding& finding : report.findings) {
    RegressionCase made;
    made.id = finding.id;
    made.kind = finding.kind;
    made.cause = finding.cause ? place(*finding.cause) : "";
    made.input = finding.input;
    made.left_out = reason_against(finding);
    all.push_back({made, &finding, {}});
    if (!made.left_out.empty())
      continue;
    if (finding.avoidable_at) {
      made.variant = "avoidable";
      made.input = finding.avoidable_at->input;
      all.push_back({made, &finding, {}});
    }
    // Nothing is within some ulps of zero: another input, whose exact result is not.
    const auto finite =
        std::ranges::find_if(finding.also, [](const Witness& at) { return std::isfinite(at.relative); });
    if (finding.error && std::isinf(finding.error->relative) && finite != finding.also.end()) {
      made.variant = "other";
      made.input = finite->input;
      all.push_back({made, &finding, {}});
    }
    if (finding.simplest) {
      made.variant = "simple";
      made.input = finding.simplest->input;
      all.push_back({made, &finding, {}});
    }
  }
  return all;
}

// Two findings may ask for the same: an overflow, and the NaN that follows from it.
void leave_out_repeated(std::vector<RegressionCase>& cases) {
  std::set<std::string> seen;
  for (RegressionCase& made : cases) {
    if (!made.left_out.empty())
      continue;
    std::string key = made.expected ? fmt::format("{}:", made.expected->output) : "returns:";
    for (const NamedNumber& number : made.input)
      key += number.value.hex + " ";
    if (!seen.insert(key).second)
      made.left_out = "another test has the same input";
  }
}

void examine(frontend::Program& program, const Options& options, const frontend::Target& target,
             std::vector<Candidate>& candidates) {
  std::vector<size_t> open; // crashes need no oracle
  for (size_t i = 0; i < candidates.size(); ++i)
    if (candidates[i].made.left_out.empty() && candidates[i].made.kind != Kind::crash)
      open.push_back(i);
  if (open.empty())
    return;
  size_t done = 0;
  in_worker(
      options, program, target,
      [&](exec::Session& session, Judge& judge, exec::Line& line) {
        Examination examination(session, judge);
        for (const size_t i : open)
          line.send(examination.of(candidates[i].input, *candidates[i].finding)
                        .dump(-1, ' ', false, Json::error_handler_t::replace));
      },
      [&](const Json& message) {
        if (done >= open.size())
          return;
        RegressionCase& made = candidates[open[done++]].made;
        if (message.contains("left_out"))
          made.left_out = message.at("left_out").get<std::string>();
        else
          made.expected = expectation_in(message);
      });
  for (; done < open.size(); ++done)
    candidates[open[done]].made.left_out = "the code did not come back when it was run again";
}

RegressionTarget target_of(frontend::Program& program, const Options& options, const TargetReport& report) {
  RegressionTarget made{report.function, report.file, {}, {}};
  std::vector<Candidate> candidates = candidates_of(report);
  try {
    Options own = options;
    own.functions = {report.function};
    made.target = single_target(program, own);
    own = options_of_finding(options_for(made.target, own), made.target, report.findings.front().input);
    for (Candidate& candidate : candidates) {
      Finding at;
      at.input = candidate.made.input;
      candidate.input = input_of(made.target, own, at);
      candidate.made.input = named_input(made.target, candidate.input);
    }
    examine(program, own, made.target, candidates);
  } catch (const frontend::UserError& problem) {
    const std::string what = problem.what();
    for (Candidate& candidate : candidates)
      candidate.made.left_out = what.substr(0, what.find('\n'));
  }
  for (Candidate& candidate : candidates)
    made.cases.push_back(std::move(candidate.made));
  leave_out_repeated(made.cases);
  return made;
}

} // namespace

std::vector<RegressionTarget> regression_targets(const Report& report, const Options& options) {
  std::vector<RegressionTarget> targets;
  frontend::Program program = load_program(options);
  for (const TargetReport& target : report.targets)
    if (!target.findings.empty())
      targets.push_back(target_of(program, options, target));
  return targets;
}

std::string bitcode_for(const std::vector<RegressionTarget>& targets, const Options& options) {
  std::vector<std::string> symbols;
  for (const RegressionTarget& target : targets)
    if (!target.target.symbol.empty())
      symbols.push_back(target.target.symbol);
  return load_program(options).bitcode_of(symbols);
}

} // namespace faultline::campaign
