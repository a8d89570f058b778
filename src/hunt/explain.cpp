#include "hunt/explain.h"

#include "finding/set_aside.h"
#include "hunt/hunt.h"
#include "hunt/replay.h"
#include "hunt/targets.h"
#include "hunt/workers.h"
#include "judge/exceptions/caller_notice.h"
#include "judge/given_input.h"
#include "judge/space_of_target.h"
#include "judge/tasks/explainer.h"

#include <algorithm>

namespace faultline::campaign {

using finding::Explanation;
using finding::Finding;
using finding::FindingRole;
using finding::Report;
using finding::SentenceRole;
using finding::Settings;
using finding::TargetOutcome;

namespace {

// Builds the explanation from the messages of the worker.
class Receiver {
public:
  Receiver(Explanation& explanation, const Options& options, const Settings& settings)
      : explanation_(explanation), options_(options), settings_(settings),
        set_aside_(options.baseline, project_of(options)) {}

  void take(const finding::Message& message) {
    if (const auto* finding = std::get_if<finding::FindingMessage>(&message))
      take(*finding);
    else if (const auto* sentence = std::get_if<finding::Sentence>(&message))
      take(*sentence);
    else if (const auto* row = std::get_if<finding::RowMessage>(&message))
      explanation_.rows.push_back(row->row);
    else if (const auto* done = std::get_if<finding::RowsDone>(&message))
      take(*done);
  }

  void add(Finding finding) {
    finding.strategy = judge::given_strategy;
    finding.id = identify(explanation_.target.function, finding);
    auto& findings = explanation_.target.findings;
    if (std::ranges::find(findings, finding.id, &Finding::id) != findings.end())
      return;
    finding.replay = replay_command(options_, settings_, explanation_.target, finding);
    set_aside_.apply(explanation_.target, finding);
    findings.push_back(std::move(finding));
  }

private:
  void take(const finding::FindingMessage& message) {
    if (message.role == FindingRole::found) {
      add(message.finding);
    } else if (message.role == FindingRole::judged) {
      explanation_.output = message.finding.output;
      explanation_.error = message.finding.error;
      explanation_.parts = message.finding.parts;
      if (!message.finding.oracle.empty())
        explanation_.oracle = message.finding.oracle;
    } else if (message.role == FindingRole::uncounted) {
      explanation_.uncounted = message.finding;
    }
  }

  void take(const finding::Sentence& sentence) {
    switch (sentence.role) {
    case SentenceRole::outcome:
      explanation_.outcome = sentence.text;
      break;
    case SentenceRole::unknown:
      explanation_.target.note = sentence.text;
      explanation_.target.outcome = TargetOutcome::unknown;
      break;
    case SentenceRole::note:
      explanation_.notes.push_back(sentence.text);
      break;
    case SentenceRole::printed:
      explanation_.printed.push_back(sentence.text);
      break;
    }
  }

  void take(const finding::RowsDone& done) {
    explanation_.omitted = done.rows - std::min<uint64_t>(done.rows, explanation_.rows.size());
    explanation_.target.sites = done.sites;
    explanation_.too_long = done.too_long;
  }

  Explanation& explanation_;
  const Options& options_;
  const Settings& settings_;
  finding::SetAside set_aside_;
};

void hint_at_status(Explanation& explanation, const frontend::Target& target, const Settings& settings) {
  const bool silent = std::ranges::any_of(explanation.target.findings, [](const Finding& finding) {
    return finding.counts() && finding.aftermath && finding.aftermath->silent();
  });
  if (const std::string hint = judge::status_hint(target, settings); silent && !hint.empty())
    explanation.notes.push_back(hint);
}

void note_death(Explanation& explanation, Receiver& receiver, const finding::WorkerDeath& death,
                const frontend::Target& target, const Settings& settings) {
  explanation.interrupted = true;
  std::optional<Finding> finding = finding_of(death, target, settings);
  explanation.outcome = death.hung ? "did not come back" : detail_of(death);
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

Explanation explain(const Options& options, const std::map<std::string, std::string>& at, size_t most_rows) {
  frontend::Program program = load_program(options);
  frontend::Target target = single_target(program, options, Fit::huntable);
  Settings settings = settings_for(target, options);
  const Measured measured = measure(program, target, settings, options);
  settings.wanted = {};
  const judge::GivenInput given = judge::input_at(target, settings, at);
  Explanation explanation;
  explanation.target = blank_report(target, settings);
  explanation.target.evaluations = 1;
  explanation.input = judge::named_input(target, given.input);
  explanation.judged = judge::judged_outputs(target, settings).size();
  explanation.oracle = text(settings.oracle);
  explanation.notes = given.notes;
  explanation.target.extents = measured.extents;
  if (!measured.note.empty())
    explanation.notes.push_back(measured.note);
  Receiver receiver(explanation, options, settings);
  const finding::Job job = job_for(target, settings, options, finding::ExplainTask{given.input, most_rows});
  const auto died =
      run_once(job, program, target, options.worker, [&](const finding::Message& message) { receiver.take(message); });
  if (died)
    note_death(explanation, receiver, *died, target, settings);
  hint_at_status(explanation, target, settings);
  explanation.target.outcome = outcome_of(explanation);
  return explanation;
}

Report report_of(const Explanation& explanation, const Options& options) {
  Report report = blank_report(options);
  report.targets.push_back(explanation.target);
  return report;
}

} // namespace faultline::campaign
