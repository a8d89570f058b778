#include "report/set_aside_text.h"

#include "report/wording.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using finding::Finding;
using finding::Novelty;
using finding::TargetReport;

namespace {

struct Counts {
  size_t suppressed = 0, known = 0;
};

Counts hidden(const finding::Report& report) {
  Counts counts;
  for (const TargetReport& target : report.targets)
    for (const Finding& finding : target.findings)
      if (finding.set_aside() && !target.shows_all)
        ++(finding.suppressed ? counts.suppressed : counts.known);
  return counts;
}

// Integers whose ranges are our own choice: what lies beyond was not looked at.
std::string assumed_ranges(const finding::Report& report) {
  std::vector<std::string> all;
  for (const TargetReport& target : report.targets)
    for (const finding::InputRange& input : target.inputs)
      if (input.assumed)
        all.push_back(fmt::format("{} of {} in {}:{}", input.name, target.function, input.low, input.high));
  constexpr size_t shown = 4;
  const size_t more = all.size() - std::min(all.size(), shown);
  all.resize(all.size() - more);
  if (all.empty())
    return {};
  return fmt::format("integers were searched in ranges of our own choice: {}{}; --range NAME=LO:HI gives others\n",
                     printable(fmt::format("{}", fmt::join(all, ", "))),
                     more > 0 ? fmt::format(", and {} more", more) : "");
}

std::string findings(size_t count) { return fmt::format("{} finding{}", count, count == 1 ? "" : "s"); }
const char* them(size_t count) { return count == 1 ? "it" : "them"; }

} // namespace

std::string set_aside_text(const finding::Report& report) {
  const auto [suppressed, known] = hidden(report);
  std::string text = assumed_ranges(report);
  if (suppressed > 0)
    text += fmt::format("{} suppressed by comments; --all shows {}\n", findings(suppressed), them(suppressed));
  if (known > 0)
    text += fmt::format("{} known from {}; --all shows {}\n", findings(known),
                        report.baseline ? printable(report.baseline->file) : "the baseline", them(known));
  if (report.baseline && report.baseline->gone > 0)
    text +=
        fmt::format("{} of {} not found again\n", findings(report.baseline->gone), printable(report.baseline->file));
  return text;
}

std::string set_aside_text(const Finding& finding) {
  if (const auto& by = finding.suppressed)
    return fmt::format("by the comment at {}: {}", location_text(by->file, by->line, 0), by->reason);
  return finding.novelty == Novelty::known ? "known from the baseline" : "";
}

} // namespace faultline::report
