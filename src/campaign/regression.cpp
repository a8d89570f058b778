#include "campaign/regression.h"

#include "campaign/single_run.h"
#include "campaign/targets.h"
#include "frontend/error.h"
#include "judge/number.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace faultline::campaign {

using finding::Cause;
using finding::Finding;
using finding::FoundAt;
using finding::Kind;
using finding::NamedNumber;
using finding::RegressionCase;
using finding::RegressionTarget;
using finding::Report;
using finding::Settings;
using finding::TargetReport;
using finding::Verdict;
using finding::Witness;

namespace {

std::string place(const Cause& cause) {
  return fmt::format("{} at {}:{}", cause.operation, std::filesystem::path(cause.file).filename().string(), cause.line);
}

// Why a finding of this kind is no test, whatever its input does now.
std::string reason_against(const Finding& finding) {
  if (finding.set_aside())
    return finding.suppressed ? "a comment in the source suppresses it" : "it is in the baseline";
  if (finding.kind == Kind::timeout)
    return "a call that does not come back would stop the other tests, too";
  if (finding.kind == Kind::exception && finding.aftermath)
    return "by this exception the code refuses the input";
  if (finding.kind == Kind::crash || finding.kind == Kind::exception || finding.kind == Kind::branch_flip)
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

// One of a finding's inputs, on the way to becoming a case.
struct Candidate {
  RegressionCase made;
  const Finding* finding;
  finding::Input input;
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
    // Nothing is within some ulps of zero: another input, whose exact result is not.
    const auto finite =
        std::ranges::find_if(finding.also, [](const Witness& at) { return std::isfinite(at.relative); });
    if (finding.error && std::isinf(finding.error->relative) && finite != finding.also.end()) {
      made.variant = "other";
      made.input = finite->input;
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

void examine(frontend::Program& program, const Options& options, const Settings& settings,
             const frontend::Target& target, std::vector<Candidate>& candidates) {
  std::vector<RegressionCase*> open; // crashes need no oracle
  std::vector<FoundAt> wanted;
  for (Candidate& candidate : candidates)
    if (candidate.made.left_out.empty() && candidate.made.kind != Kind::crash &&
        candidate.made.kind != Kind::exception) {
      open.push_back(&candidate.made);
      wanted.push_back({candidate.input, *candidate.finding});
      candidate.made.left_out = "the code did not come back when it was run again";
    }
  if (open.empty())
    return;
  size_t done = 0;
  const finding::Job job = job_for(target, settings, options, finding::ExamineTask{std::move(wanted)});
  run_once(job, program, target, options.worker, [&](const finding::Message& message) {
    const auto* examined = std::get_if<finding::Examined>(&message);
    if (!examined || done == open.size())
      return;
    RegressionCase& made = *open[done++];
    made.left_out = examined->left_out;
    made.expected = examined->expected;
  });
}

RegressionTarget target_of(frontend::Program& program, const Options& options, const TargetReport& report) {
  RegressionTarget made{report.function, report.file, {}, {}};
  std::vector<Candidate> candidates = candidates_of(report);
  try {
    Options own = options;
    own.functions = {report.function};
    made.target = single_target(program, own);
    const Settings settings =
        settings_of_finding(settings_for(made.target, own), made.target, report.findings.front().input);
    for (Candidate& candidate : candidates) {
      candidate.input = input_of(made.target, settings, candidate.made.input);
      candidate.made.input = judge::named_input(made.target, candidate.input);
    }
    examine(program, own, settings, made.target, candidates);
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
