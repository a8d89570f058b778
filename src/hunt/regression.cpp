#include "hunt/regression.h"

#include "frontend/error.h"
#include "hunt/targets.h"
#include "hunt/workers.h"
#include "judge/given_input.h"
#include "numeric/stable_sort.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace faultline::campaign {

using finding::Evidence;
using finding::Finding;
using finding::FoundAt;
using finding::Kind;
using finding::NamedNumber;
using finding::Problem;
using finding::RegressionCase;
using finding::RegressionTarget;
using finding::Report;
using finding::Settings;
using finding::TargetReport;
using finding::Tier;
using finding::Verdict;
using finding::Witness;

namespace {

// The number of findings of a problem that are tried, the most ordinary first. Nearly always the first is suitable;
// each costs some runs of the oracle.
constexpr size_t most_tried = 4;

// Returns the reason why a finding of this kind cannot become a test; empty: it can.
std::string reason_against(const Finding& finding) {
  if (finding.kind == Kind::timeout)
    return "a call that does not come back would stop the other tests, too";
  if (finding.is_truncated())
    return "the loop's result tends to a limit that is not known exactly";
  if (finding.kind == Kind::crash || finding.kind == Kind::exception ||
      is_error(finding.kind)) // the exact results around the input decide
    return "";
  return finding.verdict == Verdict::unknown ? "it is not known whether it can be avoided" : "";
}

// One input of a problem that may become its test case.
struct Candidate {
  RegressionCase made;
  const Evidence* evidence = nullptr;
  finding::Input input = {};
};

// Returns the candidates of one problem, the most ordinary first. Not empty.
std::vector<Candidate> candidates_of(const Problem& problem) {
  std::vector<Candidate> all;
  for (const Evidence& evidence : problem.findings) {
    const Finding& finding = *evidence.finding;
    if (all.size() >= most_tried || finding.set_aside() || tier_of(finding) > Tier::warning)
      continue;
    const bool there = finding.cause && finding.cause->file == problem.file && finding.cause->line == problem.line;
    RegressionCase made{
        problem.id,   problem.fault,  problem.file,  problem.line, there ? finding.cause->source : problem.source,
        finding.kind, finding.detail, finding.input, {},           reason_against(finding)};
    all.push_back({made, &evidence});
    // No result is within some ulps of an exact zero. Takes another input whose exact result is not zero.
    const auto finite =
        std::ranges::find_if(finding.also, [](const Witness& at) { return std::isfinite(at.relative); });
    if (made.left_out.empty() && finding.error && std::isinf(finding.error->relative) && finite != finding.also.end()) {
      made.input = finite->input;
      all.push_back({made, &evidence});
    }
  }
  return all;
}

void examine(frontend::Program& program, const Options& options, const Settings& settings,
             const frontend::Target& target, const std::vector<Candidate*>& candidates) {
  std::vector<RegressionCase*> open; // crashes need no oracle
  std::vector<FoundAt> wanted;
  for (Candidate* candidate : candidates)
    if (candidate->made.left_out.empty() && candidate->made.kind != Kind::crash &&
        candidate->made.kind != Kind::exception) {
      open.push_back(&candidate->made);
      wanted.push_back({candidate->input, *candidate->evidence->finding});
      candidate->made.left_out = "the code did not come back when it was run again";
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
    if (examined->expected && examined->expected->output >= target.outputs.size())
      throw frontend::UserError(frontend::status_internal, "the function has no such output");
    made.left_out = examined->left_out;
    made.expected = examined->expected;
  });
}

// Examines the candidates, which are all of this target.
RegressionTarget examined_target(frontend::Program& program, const Options& options, const TargetReport& report,
                                 const std::vector<Candidate*>& candidates) {
  RegressionTarget made{report.function, report.file, {}, {}};
  try {
    Options own = options;
    own.functions = {report.function};
    FoundIn found = found_in(program, own, report, candidates.front()->made.input);
    made.target = std::move(found.target);
    const Settings& settings = found.settings;
    for (Candidate* candidate : candidates) {
      candidate->input = input_of(made.target, settings, candidate->made.input);
      candidate->made.input = judge::named_input(made.target, candidate->input);
    }
    examine(program, own, settings, made.target, candidates);
  } catch (const frontend::UserError& problem) {
    const std::string what = problem.what();
    for (Candidate* candidate : candidates)
      candidate->made.left_out = what.substr(0, what.find('\n'));
  }
  return made;
}

// The key of a test. Two problems may demand the same result at the same input; a second test would show nothing new.
std::string key_of(const Candidate& candidate) {
  const RegressionCase& made = candidate.made;
  std::string key = fmt::format("{} {}:", candidate.evidence->target->function,
                                made.expected ? fmt::format("{}", made.expected->output) : "returns");
  for (const NamedNumber& number : made.input)
    key += number.value.hex + " ";
  return key;
}

// Returns the first candidate with a distinct test; else the first one, with the reason why it has none.
Candidate chosen(const std::vector<Candidate>& candidates, std::set<std::string>& seen) {
  for (const Candidate& candidate : candidates)
    if (candidate.made.left_out.empty() && seen.insert(key_of(candidate)).second)
      return candidate;
  Candidate none = candidates.front();
  if (none.made.left_out.empty())
    none.made.left_out = "another test has the same input";
  return none;
}

} // namespace

std::vector<RegressionTarget> regression_targets(const finding::RankedReport& ranked, const Options& options) {
  const auto& [report, problems] = ranked;
  frontend::Program program = load_program(options);
  std::vector<std::vector<Candidate>> all;
  for (const Problem& problem : problems)
    if (!problem.set_aside && problem.tier <= Tier::warning)
      all.push_back(candidates_of(problem));
  std::map<const TargetReport*, std::vector<Candidate*>> by_target;
  for (std::vector<Candidate>& candidates : all)
    for (Candidate& candidate : candidates)
      by_target[candidate.evidence->target].push_back(&candidate);
  std::map<const TargetReport*, RegressionTarget> made;
  for (const TargetReport& target : report.targets)
    if (const auto own = by_target.find(&target); own != by_target.end())
      made.emplace(&target, examined_target(program, options, target, own->second));
  std::set<std::string> seen;
  for (std::vector<Candidate>& candidates : all) {
    // A function without a harness makes a simpler test.
    numeric::sort_stably(candidates, {}, [&](const Candidate& candidate) {
      return !made.at(candidate.evidence->target).target.harness.empty();
    });
    const Candidate candidate = chosen(candidates, seen);
    made.at(candidate.evidence->target).cases.push_back(candidate.made);
  }
  std::vector<RegressionTarget> targets;
  for (const TargetReport& target : report.targets)
    if (const auto found = made.find(&target); found != made.end() && !found->second.cases.empty())
      targets.push_back(std::move(found->second));
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
