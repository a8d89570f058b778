#include "judge/tasks/exploration.h"

#include "judge/space_of_target.h"
#include "judge/tasks/progress_told.h"
#include "ops/table.h"
#include "search/paths/paths.h"
#include "tape/path.h"

#include <fmt/format.h>
#include <set>

namespace faultline::judge {

using finding::BranchMessage;
using finding::Standing;

namespace {

std::string outcome_text(const runtime::Site& site, int64_t outcome) {
  if (site.predicate != "switch")
    return outcome ? "true" : "false";
  return outcome > 0 && size_t(outcome) <= site.cases.size() ? fmt::format("case {}", site.cases[size_t(outcome) - 1])
                                                             : "default";
}

BranchMessage message_of(const search::BranchOutcome& branch, const runtime::Site& site) {
  BranchMessage message{branch.site, branch.outcome, branch.input, {}};
  message.branch = {.file = site.file,
                    .function = site.function,
                    .line = site.line,
                    .column = site.column,
                    .operation = std::string(ops::name(site.op)),
                    .condition = site.op == ops::Op::decide ? site.predicate : std::string(ops::symbol(site.op)),
                    .outcome = outcome_text(site, branch.outcome),
                    .standing = branch.standing,
                    .solver = branch.solver,
                    .why = branch.why,
                    .shown = {}};
  return message;
}

} // namespace

void explore(exec::Session& session, const finding::Settings& settings, const finding::ExploreTask& task,
             const Tell& tell) {
  const search::Space space = space_of(session.target(), settings);
  search::Budget budget;
  budget.seconds = settings.budget_seconds;
  if (settings.evaluations)
    budget.evaluations = *settings.evaluations;
  search::Evaluator evaluator(session, budget, telling_runs(tell));
  search::PathsLimits limits;
  limits.loop_bound = task.loop_bound;
  limits.every_path = task.every_path;
  limits.everyday = true; // tests are read by people
  const search::Exploration found =
      search::explore_paths(evaluator, space, session.target(), limits, numeric::Rng(settings.seed));
  for (const search::BranchOutcome& branch : found.outcomes)
    tell(message_of(branch, session.sites().sites[branch.site]));
  tell(finding::ExplorationDone{found.paths.size(), found.complete, found.bounded, found.questions, found.unanswered,
                                evaluator.evaluations(), evaluator.seconds()});
}

void tell_decisions(exec::Session& session, const finding::DecisionsTask& task, const Tell& tell) {
  for (size_t i = 0; i < task.inputs.size(); ++i) {
    const exec::Run& run = session.run(task.inputs[i]);
    const tape::Tape tape(run, session.sites(), task.inputs[i].size());
    std::set<std::pair<uint32_t, int64_t>> taken;
    for (const tape::Branch& branch : tape::path(tape))
      taken.insert({branch.site, branch.outcome});
    finding::RunMessage message{
        i,  exec::end_words(run.outcome, run.ending), run.outcome == exec::Outcome::returned, {},
        {}, run.outcome == exec::Outcome::missing};
    message.decisions.assign(taken.begin(), taken.end());
    for (const exec::OutputValue& output : run.outputs)
      message.outputs.push_back(output.value);
    tell(message);
  }
}

} // namespace faultline::judge
