#include "judge/tasks/plot_remedy.h"

#include "explain/remedy.h"
#include "explain/rewrite.h"
#include "explain/summation.h"

#include <algorithm>

namespace faultline::judge {
namespace {

constexpr size_t most_executions = 100;  // of the place in one run: each is sketched for each rule, at every point
constexpr uint32_t longest_run = 20'000; // records: a plot has hundreds of runs

// All rules that fit, in one order.
std::vector<explain::Rewritten> rewrites_at(const tape::Tape& tape, uint32_t record,
                                            std::span<const long double> values,
                                            const std::vector<std::string>& inputs) {
  std::vector<explain::Rewritten> all;
  for (auto* rules : {explain::rewrites_of_differences, explain::rewrites_of_sums, explain::rewrites_of_functions}) {
    explain::Sketch sketch(tape, values, tape.site(record).format, inputs);
    for (explain::Rewritten& rewritten : rules(sketch, record))
      all.push_back(std::move(rewritten));
  }
  return all;
}

std::vector<long double> values_of(const tape::Tape& tape) {
  std::vector<long double> values(tape.size());
  for (uint32_t record = 1; record < tape.size(); ++record)
    values[record] = tape.exact(record);
  return values;
}

// Those that a place of the code made.
std::vector<uint32_t> records_at(const tape::Tape& tape, uint32_t site) {
  std::vector<uint32_t> records;
  for (uint32_t record = uint32_t(tape.inputs()) + 1; record < tape.size(); ++record)
    if (tape.record(record).site == site)
      records.push_back(record);
  return records;
}

} // namespace

std::optional<RemedyTrial> RemedyTrial::of(exec::Session& session, Judge& judge, const finding::Finding& finding,
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
  const auto remedy =
      explain::find_remedy({tape, record, wrong->reference, path, analysis.blame(tape, record).record, names, true});
  if (!remedy || remedy->name != finding.diagnosis->remedy->name)
    return std::nullopt;
  return RemedyTrial(remedy->name, tape, remedy->record, std::move(names));
}

RemedyTrial::RemedyTrial(std::string name, const tape::Tape& tape, uint32_t record, std::vector<std::string> inputs)
    : name_(std::move(name)), site_(tape.record(record).site), inputs_(std::move(inputs)) {
  const std::vector<explain::Rewritten> all = rewrites_at(tape, record, values_of(tape), inputs_);
  const auto rule =
      std::ranges::find(all, name_, [](const explain::Rewritten& each) { return std::string(each.name); });
  if (rule != all.end()) {
    means_ = Means::rewrite;
    rule_ = size_t(rule - all.begin());
  } else if (name_.starts_with("compensated") && explain::Summation(tape, record).is_sum()) {
    means_ = Means::compensation;
  }
}

std::optional<long double> RemedyTrial::result(const tape::Tape& tape, size_t output) const {
  const uint32_t record = tape.outputs()[output].record;
  if (record == 0 || tape.size() > longest_run)
    return std::nullopt;
  if (means_ == Means::rewrite)
    return rewritten(tape, record);
  if (means_ == Means::compensation)
    return compensated(tape, record);
  const numeric::Format format = tape.site(record).format;
  const tape::Replay wide = tape::replay(tape, format == numeric::Format::binary32 ? 53 : 64);
  if (!wide.flips.empty())
    return std::nullopt;
  numeric::BigFloat result = wide.values[record];
  result.round_to(format);
  return result.to_long_double();
}

std::optional<long double> RemedyTrial::rewritten(const tape::Tape& tape, uint32_t output) const {
  if (records_at(tape, site_).size() > most_executions)
    return std::nullopt;
  const tape::Rerun changed =
      tape::rerun(tape, [&](uint32_t at, std::span<const long double> values) -> std::optional<long double> {
        if (at <= tape.inputs() || tape.record(at).site != site_)
          return std::nullopt;
        const std::vector<explain::Rewritten> here = rewrites_at(tape, at, values, inputs_);
        if (rule_ < here.size() && here[rule_].name == name_)
          return here[rule_].after.value;
        return std::nullopt;
      });
  return changed.flips ? std::nullopt : std::optional(changed.values[output]);
}

std::optional<long double> RemedyTrial::compensated(const tape::Tape& tape, uint32_t output) const {
  const std::vector<uint32_t> additions = records_at(tape, site_);
  if (additions.empty())
    return tape.exact(output);
  const explain::Summation summation(tape, additions.back());
  const tape::Rerun changed = tape::rerun(
      tape, [&](uint32_t at, std::span<const long double> values) { return summation.compensated(at, values); });
  return changed.flips ? std::nullopt : std::optional(changed.values[output]);
}

} // namespace faultline::judge
