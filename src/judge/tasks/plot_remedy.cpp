#include "judge/tasks/plot_remedy.h"

#include "explain/remedy.h"

#include <algorithm>

namespace faultline::judge {
namespace {

constexpr uint32_t longest_run = 20'000; // records: a plot has hundreds of runs

} // namespace

std::optional<RemedyCurve> RemedyCurve::of(exec::Session& session, Judge& judge, const finding::Finding& finding,
                                           const exec::Input& input, size_t output) {
  if (!finding.diagnosis || !finding.diagnosis->remedy)
    return std::nullopt;
  const exec::Run judged = session.run(input);
  if (judged.outcome != exec::Outcome::returned)
    return std::nullopt;
  Analysis analysis(judge.judge(input, tape::Tape(judged, session.sites(), input.size())));
  const std::vector<oracle::OutputJudgement>& outputs = analysis.judgement().outputs;
  const auto wrong = std::ranges::find(outputs, output, &oracle::OutputJudgement::output);
  const exec::Run run = session.run(input); // the judge has run other code on the way
  const tape::Tape tape(run, session.sites(), input.size());
  if (wrong == outputs.end() || tape.size() > longest_run || tape.outputs()[output].record == 0)
    return std::nullopt;
  const uint32_t record = tape.outputs()[output].record;
  std::vector<std::string> names;
  for (const frontend::Cell& cell : session.target().inputs)
    names.push_back(cell.name);
  const std::vector<explain::Link>& path = analysis.error_path(tape, record);
  if (path.empty())
    return std::nullopt;
  const finding::Remedy& wanted = *finding.diagnosis->remedy;
  for (const explain::Remedy& remedy :
       explain::find_remedies({tape, record, wrong->reference, path, analysis.blame(tape, record).record, names, true}))
    if (remedy.name == wanted.name && wanted.advice.ends_with(remedy.advice)) // its condition stands before it
      return RemedyCurve(remedy.change, parsed_bound(wanted.condition, names));
  return std::nullopt;
}

std::optional<long double> RemedyCurve::result(const tape::Tape& tape, const exec::Input& input, size_t output) const {
  if (tape.outputs()[output].record == 0 || tape.size() > longest_run)
    return std::nullopt;
  if (bound_ && !bound_->holds(input))
    return tape.outputs()[output].value;
  const std::optional<tape::Rerun> changed = explain::changed(tape, change_);
  return !changed || changed->flips ? std::nullopt : std::optional(explain::output_of(tape, *changed, output));
}

} // namespace faultline::judge
