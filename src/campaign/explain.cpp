#include "campaign/explain.h"

#include "campaign/blank_report.h"
#include "campaign/configuration.h"
#include "campaign/explain_worker.h"
#include "campaign/finding_json.h"
#include "campaign/given_input.h"
#include "campaign/noise.h"
#include "campaign/number.h"
#include "campaign/replay_command.h"
#include "campaign/reporting.h"
#include "campaign/single_run.h"
#include "campaign/space_of_target.h"
#include "campaign/worker_death.h"

#include <algorithm>

namespace faultline::campaign {
namespace {

class Receiver {
public:
  Receiver(Explanation& explanation, const Options& options)
      : explanation_(explanation), options_(options), noise_(options) {}

  void receive(const Json& message) {
    try {
      take(message);
    } catch (const frontend::UserError&) {
      // not a finding of ours: the code under test wrote to the line
    }
  }

  void add(Finding finding) {
    finding.strategy = given_strategy;
    finding.id = identify(explanation_.target.function, finding);
    auto& findings = explanation_.target.findings;
    if (std::ranges::find(findings, finding.id, &Finding::id) != findings.end())
      return;
    finding.replay = replay_command(options_, explanation_.target, finding);
    noise_.apply(explanation_.target, finding);
    findings.push_back(std::move(finding));
  }

private:
  void take(const Json& message) {
    const std::string& key = message.begin().key();
    const Json& value = message.begin().value();
    if (key == "row" && value.is_object()) {
      explanation_.rows.push_back(row_from(value));
    } else if (key == "outcome" && value.is_string()) {
      explanation_.outcome = value.get<std::string>();
    } else if (key == "unknown" && value.is_string()) {
      explanation_.target.note = value.get<std::string>();
      explanation_.target.outcome = TargetOutcome::unknown;
    } else if (key == "note" && value.is_string()) {
      explanation_.notes.push_back(value.get<std::string>());
    } else if (key == "finding") {
      add(finding_from_json(value));
    } else if (key == "judged") {
      const Finding judged = finding_from_json(value);
      explanation_.output = judged.output;
      explanation_.error = judged.error;
    } else if (key == "uncounted") {
      explanation_.uncounted = finding_from_json(value);
    } else if (key == "rows" && value.is_number_unsigned()) {
      explanation_.omitted = value.get<size_t>() - explanation_.rows.size();
      explanation_.target.sites = message.value("sites", uint64_t(0));
      explanation_.too_long = message.value("too_long", false);
    }
  }

  Explanation& explanation_;
  const Options& options_;
  Noise noise_;
};

void hint_at_status(Explanation& explanation, const frontend::Target& target, const Options& options) {
  const bool silent = std::ranges::any_of(explanation.target.findings, [](const Finding& finding) {
    return finding.counts() && finding.aftermath && finding.aftermath->silent();
  });
  if (const std::string hint = status_hint(target, options); silent && !hint.empty())
    explanation.notes.push_back(hint);
}

void note_death(Explanation& explanation, Receiver& receiver, const exec::Death& death,
                const frontend::Target& target) {
  explanation.interrupted = true;
  std::optional<Finding> finding = finding_of(death, target);
  explanation.outcome = death.hung ? "did not come back" : "killed the worker process";
  if (finding)
    receiver.add(std::move(*finding));
  else
    explanation.notes.push_back(note_of(death));
}

TargetOutcome outcome_of(const Explanation& explanation) {
  if (explanation.target.counted() > 0)
    return outcome_found(explanation.target);
  return explanation.interrupted ? TargetOutcome::interrupted : explanation.target.outcome;
}

} // namespace

Explanation explain(const Options& all, const std::map<std::string, std::string>& at, size_t most_rows) {
  frontend::Program program = load_program(all);
  const frontend::Target target = single_target(program, all);
  Options options = options_for(target, all);
  options.wanted = {};
  const GivenInput given = input_at(target, options, at);
  Explanation explanation;
  explanation.target = blank_report(target, options);
  explanation.target.evaluations = 1;
  explanation.input = named_input(target, given.input);
  explanation.judged = judged_outputs(target, options).size();
  explanation.oracle = text(options.oracle);
  explanation.notes = given.notes;
  Receiver receiver(explanation, options);
  const auto died = in_worker(
      options, program, target,
      [&](exec::Session& session, Judge& judge, exec::Line& line) {
        explain_here(session, judge, options, line, given.input, most_rows);
      },
      [&](const Json& message) { receiver.receive(message); });
  if (died)
    note_death(explanation, receiver, *died, target);
  hint_at_status(explanation, target, options);
  explanation.target.outcome = outcome_of(explanation);
  return explanation;
}

Report report_of(const Explanation& explanation, const Options& options) {
  Report report = blank_report(options);
  report.targets.push_back(explanation.target);
  return report;
}

} // namespace faultline::campaign
