#include "judge/diagnosis/remedy_trial.h"

#include "numeric/decimal.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {

using finding::Finding;

namespace {

constexpr size_t wanted = 1000, confirming = 3000; // inputs
// Of the inputs: around those at which the remedy did worst, for they are where it may do harm; and on the borders
// between branches of the code, and of the problem's region.
constexpr size_t around_worst = 120, borders = 24;
constexpr size_t most_remedies = 8; // that are tried for one finding
constexpr uint64_t most_records = 4'000'000, confirming_records = 1'200'000;
constexpr size_t most_shown = 8; // inputs beside the finding's own that show the problem

} // namespace

bool RemedyTrial::out_of_time() {
  return session_.asked_to_stop() || (deadline_ && deadline_->passed(end_of_diagnosing));
}

// Both sides of borders between what the first input is and what others are.
void RemedyTrial::add_borders(Bench& bench, size_t count) {
  const exec::Input first = bench.inputs.front().input;
  const Comparison::Looks here = comparison_.look(first);
  const size_t others = bench.inputs.size();
  for (size_t i = 1; i < others && bench.inputs.size() < others + count && !out_of_time(); i += 7) {
    const Comparison::Looks there = comparison_.look(bench.inputs[i].input);
    if (!here.returned || !there.returned || (there.path == here.path && there.wrong == here.wrong))
      continue;
    const bool by_path = there.path != here.path && (there.wrong == here.wrong || i % 2 == 0);
    for (exec::Input& input : bench.draws.border(first, bench.inputs[i].input, [&](const exec::Input& middle) {
           const Comparison::Looks looks = comparison_.look(middle);
           return by_path ? looks.path == here.path : looks.wrong == here.wrong;
         }))
      bench.inputs.push_back({std::move(input)});
  }
}

// The finding's own first, then further ones that show it.
std::vector<exec::Input> RemedyTrial::shown_by(const Finding& finding) const {
  std::vector<exec::Input> shown = {finding.values};
  for (const finding::Witness& witness : finding.also) {
    exec::Input input;
    for (size_t i = 0; i < witness.input.size() && i < space_.dimensions.size(); ++i)
      if (const auto value = numeric::parse_number(witness.input[i].value.hex, space_.dimensions[i].format))
        input.push_back(*value);
    if (input.size() == finding.values.size() && shown.size() < most_shown)
      shown.push_back(std::move(input));
  }
  return shown;
}

bool RemedyTrial::begin(const Finding& finding) {
  const std::vector<frontend::Cell>& outputs = session_.target().outputs;
  const auto output =
      std::ranges::find_if(outputs, [&](const frontend::Cell& cell) { return cell.name == finding.output->name; });
  if (output == outputs.end() || finding.values.size() != space_.dimensions.size() || finding.values.empty())
    return false;
  const double half_of_digits = std::ldexp(1.0, numeric::info(output->type.format).precision / 2);
  const double nearly = finding.error ? finding.error->ulps / 16 : half_of_digits;
  comparison_.begin(size_t(output - outputs.begin()), std::min(half_of_digits, nearly));
  return true;
}

void RemedyTrial::fill(Bench& bench, const Finding& finding) {
  const uint64_t records = std::max<uint64_t>(session_.run(finding.values).records.size(), least_of_trial);
  bench.goal = size_t(std::min<uint64_t>(wanted, most_records / records));
  bench.around_worst = bench.goal * around_worst / wanted;
  bench.extra = size_t(std::min<uint64_t>(confirming, confirming_records / records));
  bench.allowance = 3 * most_records; // other inputs may have longer runs
  if (bench.goal < fewest_tried)
    return;
  const size_t on_borders = bench.goal * borders / wanted;
  for (exec::Input& input : bench.draws.mixed(shown_by(finding), bench.goal - bench.around_worst - on_borders))
    bench.inputs.push_back({std::move(input)});
  add_borders(bench, on_borders);
}

void RemedyTrial::choose(Finding& finding, std::span<const explain::Remedy> remedies) {
  if (!finding.diagnosis || remedies.empty() || !finding.output || out_of_time() || !begin(finding))
    return;
  TrialInputs draws(space_, everyday_, numeric::Rng(settings_.seed).fork("remedies"));
  Bench bench{comparison_, draws, space_, [this] { return out_of_time(); }};
  fill(bench, finding);
  std::optional<Stood> best;
  const explain::Remedy* chosen = nullptr;
  for (size_t i = 0; i < remedies.size() && !bench.inputs.empty(); ++i) {
    const bool wider = remedies[i].change.means == explain::Means::wider;
    if ((i >= most_remedies && !wider) || (wider && chosen))
      continue;
    const std::optional<Stood> stood = tried_out(remedies[i], bench);
    if (!stood || (chosen && stood->condition))
      continue;
    best = stood;
    chosen = &remedies[i];
    if (!stood->condition)
      break;
  }
  if (chosen)
    finding.diagnosis->remedy = offered(*chosen, *best);
}

// With its condition.
finding::Remedy RemedyTrial::offered(const explain::Remedy& remedy, const Stood& stood) const {
  finding::Remedy offered{remedy.name, remedy.advice, remedy.relative, stood.tried, remedy.where};
  if (stood.condition) {
    const std::string condition = stood.condition->text(space_);
    offered.advice = fmt::format("for {}, {}", condition, offered.advice);
    offered.condition = offered.condition.empty() ? condition : fmt::format("{} and {}", condition, offered.condition);
  }
  return offered;
}

} // namespace faultline::judge
