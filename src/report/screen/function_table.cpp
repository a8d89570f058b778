#include "report/screen/function_table.h"

#include "report/excerpt.h"
#include "report/map_text.h"
#include "report/table.h"
#include "report/wording.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <tuple>

namespace faultline::report {

using finding::Largest;
using finding::Problem;
using finding::TargetReport;
using finding::Tier;

namespace {

constexpr size_t most_notes = 6; // on how a hunt ended, where a report is to fit on a screen

using Counts = std::array<size_t, 3>; // by tier

std::string counts_text(const Counts& counts) {
  std::vector<std::string> parts;
  for (const Tier tier : {Tier::error, Tier::warning, Tier::note})
    if (const size_t count = counts[size_t(tier)])
      parts.push_back(fmt::format("{} {}{}", count, text(tier), count == 1 ? "" : "s"));
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

double size_of(const std::optional<Largest>& largest) {
  return largest && !std::isnan(largest->error.relative) ? largest->error.relative : -1;
}

std::string largest_text(const std::optional<Largest>& largest) {
  return largest ? measure_text(largest->error.relative) : "-";
}

// Where it was seen: everyday, if there is one.
std::string place_text(const TargetReport& target) {
  const std::optional<Largest>& largest = target.largest_everyday ? target.largest_everyday : target.largest;
  return largest ? brief_input(largest->input) : "";
}

std::string outcome_text(const TargetReport& target) {
  switch (target.outcome) {
  case finding::TargetOutcome::found:
  case finding::TargetOutcome::none:
    return target.cut ? "cut off by the clock" : "";
  default:
    return std::string(text(target.outcome));
  }
}

} // namespace

std::string function_table(const finding::Report& report, const std::vector<Problem>& problems, size_t rows,
                           const Style& style) {
  std::map<std::string, Counts> counts;
  for (const Problem& problem : problems)
    for (const std::string& function : problem.functions)
      ++counts[function][size_t(problem.tier)];
  std::vector<const TargetReport*> order;
  for (const TargetReport& target : report.targets)
    if (target.outcome != finding::TargetOutcome::refused) // which stands below
      order.push_back(&target);
  std::ranges::sort(order, {}, [&](const TargetReport* target) { // they stand in one vector
    const Counts& of = counts[target->function];
    return std::tuple(-int64_t(of[0]), -int64_t(of[1]), -std::min(size_of(target->largest_everyday), 1.0),
                      -size_of(target->largest), target);
  });
  std::vector<Row> shown;
  std::vector<std::string> notes;
  for (const TargetReport* target : order) {
    if (shown.size() < rows)
      shown.push_back({printable(target->function), largest_text(target->largest_everyday),
                       printable(place_text(*target)), largest_text(target->largest),
                       counts_text(counts[target->function]), outcome_text(*target)});
    if (const std::string proof = proof_text(*target); !proof.empty())
      notes.push_back(fmt::format("  {}: {}\n", printable(target->function), proof));
    if (!target->note.empty())
      notes.push_back(fmt::format("  {}: {}\n", printable(target->function), printable(target->note)));
  }
  if (shown.empty())
    return {};
  std::string text = table({{"function"},
                            {"worst everyday", Align::right},
                            {"at", Align::left, 40},
                            {"worst anywhere", Align::right},
                            {"problems"},
                            {""}},
                           shown, style);
  if (order.size() > shown.size())
    text += fmt::format("  ... and {} more functions; -v shows them\n", order.size() - shown.size());
  const size_t most = rows >= order.size() ? notes.size() : most_notes;
  for (size_t i = 0; i < std::min(most, notes.size()); ++i)
    text += notes[i];
  if (notes.size() > most)
    text += fmt::format("  ... and {} more such notes; -v shows them\n", notes.size() - most);
  return text;
}

} // namespace faultline::report
