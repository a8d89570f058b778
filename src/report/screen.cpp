#include "report/screen.h"

#include "model/csv_lines.h"
#include "numeric/decimal.h"
#include "report/bound_text.h"
#include "report/list_text.h"
#include "report/problem_text.h"
#include "report/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <tuple>
#include <vector>

namespace faultline::report {

using namespace model;

namespace {

struct Counts {
  size_t suppressed = 0, known = 0;
};

Counts hidden(const Report& report) {
  Counts counts;
  for (const TargetReport& target : report.targets)
    for (const Finding& finding : target.findings)
      if (finding.set_aside() && !target.shows_all)
        ++(finding.suppressed ? counts.suppressed : counts.known);
  return counts;
}

// Lists integers with default ranges. Values outside of these were not searched.
std::string assumed_ranges(const Report& report) {
  std::vector<std::string> all;
  for (const TargetReport& target : report.targets)
    for (const InputRange& input : target.inputs)
      if (input.assumed)
        all.push_back(fmt::format("{} of {} in {}:{}", input.name, target.function, input.low, input.high));
  constexpr size_t shown = 4;
  const size_t more = all.size() - std::min(all.size(), shown);
  all.resize(all.size() - more);
  if (all.empty())
    return {};
  return fmt::format("default ranges were used for integers: {}{}; --range NAME=LO:HI sets others\n",
                     printable(fmt::format("{}", fmt::join(all, ", "))),
                     more > 0 ? fmt::format(", and {} more", more) : "");
}

const char* them(size_t count) { return count == 1 ? "it" : "them"; }

// The table of functions: the largest error at everyday inputs and at all inputs, and the problems. The largest error
// seen is shown even if it is not a finding.
constexpr size_t most_rows = 20; // rows of the table if the report must fit on a screen

constexpr size_t most_short_notes = 6; // notes on outcomes if the report must fit on a screen

using TierCounts = std::array<size_t, 3>; // by tier

std::string counts_text(const TierCounts& counts) {
  std::vector<std::string> parts;
  for (const Tier tier : {Tier::error, Tier::warning, Tier::note})
    if (const size_t count = counts[size_t(tier)])
      parts.push_back(counted(count, text(tier)));
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

double size_of(const std::optional<Largest>& largest) {
  return largest && !std::isnan(largest->error.relative) ? largest->error.relative : -1;
}

std::string largest_text(const std::optional<Largest>& largest) {
  return largest ? measure_text(largest->error.relative) : "-";
}

// The place of the largest error, at everyday inputs if there is one.
std::string largest_input_text(const TargetReport& target) {
  const std::optional<Largest>& largest = target.largest_everyday ? target.largest_everyday : target.largest;
  return largest ? brief_input(largest->input) : "";
}

std::string ending_text(const TargetReport& target) {
  switch (target.outcome) {
  case TargetOutcome::found:
  case TargetOutcome::none:
    return target.cut ? "cut off by the clock" : "";
  default:
    return std::string(text(target.outcome));
  }
}

std::string function_table(const Report& report, const std::vector<Problem>& problems, size_t rows,
                           const Style& style) {
  std::map<std::string, TierCounts> counts;
  for (const Problem& problem : problems)
    for (const std::string& function : problem.functions)
      ++counts[function][size_t(problem.tier)];
  std::vector<const TargetReport*> order;
  for (const TargetReport& target : report.targets)
    if (target.outcome != TargetOutcome::refused) // listed below
      order.push_back(&target);
  std::ranges::sort(order, {}, [&](const TargetReport* target) { // all are in one vector
    const TierCounts& of = counts[target->function];
    return std::tuple(-int64_t(of[0]), -int64_t(of[1]), -std::min(size_of(target->largest_everyday), 1.0),
                      -size_of(target->largest), target);
  });
  std::vector<Row> shown;
  std::vector<std::string> notes;
  for (const TargetReport* target : order) {
    if (shown.size() < rows)
      shown.push_back({target->function, largest_text(target->largest_everyday), largest_input_text(*target),
                       largest_text(target->largest), fmt::format("{}", target->judged),
                       counts_text(counts[target->function]), ending_text(*target)});
    if (const std::string proof = proof_text(*target); !proof.empty())
      notes.push_back(fmt::format("  {}: {}\n", printable(target->function), proof));
    if (!target->note.empty())
      notes.push_back(fmt::format("  {}: {}\n", printable(target->function), printable(target->note)));
  }
  if (shown.empty())
    return {};
  std::vector<Column> columns = {{"function"},
                                 {"worst everyday", Align::right},
                                 {"at", Align::left, 40},
                                 {"worst anywhere", Align::right},
                                 {"judged", Align::right},
                                 {"problems"},
                                 {""}};
  constexpr int judged = 4; // a campaign does not count them
  if (std::ranges::all_of(order, [](const TargetReport* target) { return target->judged == 0; })) {
    columns.erase(columns.begin() + judged);
    for (Row& row : shown)
      row.erase(row.begin() + judged);
  }
  std::string text = table(columns, shown, style);
  if (order.size() > shown.size())
    text += fmt::format("  ... and {} more functions; -v shows them\n", order.size() - shown.size());
  const size_t most = rows >= order.size() ? notes.size() : most_short_notes;
  for (size_t i = 0; i < std::min(most, notes.size()); ++i)
    text += notes[i];
  if (notes.size() > most)
    text += fmt::format("  ... and {} more such notes; -v shows them\n", notes.size() - most);
  return text;
}

// With ten problems in full, a library's report has fewer than 200 lines.
constexpr size_t most_lines = 20, most_notes = 12;
constexpr size_t most_open = 5, widest_reason = 160; // for a brief report

constexpr TargetOutcome open_outcomes[] = {TargetOutcome::unknown, TargetOutcome::timed_out, TargetOutcome::crashed,
                                           TargetOutcome::interrupted};

class Painter {
public:
  Painter(const RankedReport& ranked, const SourceLine& source, const Screen& screen)
      : report_(ranked.report), source_(source), screen_(screen), problems_(shown_problems(ranked)) {}

  std::string text() const {
    if (screen_.detail == Detail::brief)
      return lines(problems_, problems_.size()) + open_lines() + skipped_line() + closing_line();
    std::string text;
    if (screen_.detail == Detail::full)
      for (const Problem& problem : problems_)
        for (const Evidence& evidence : problem.findings)
          text += finding_text(*evidence.target, *evidence.finding, source_, screen_.style);
    const auto [counting, notes] = problem_groups();
    const size_t in_full = std::min(screen_.limit, counting.size());
    for (size_t i = 0; i < in_full; ++i)
      text += problem_block(counting[i], source_, screen_.style, screen_.columns);
    const bool all = screen_.detail == Detail::full;
    text += section(std::span(counting).subspan(in_full), all ? counting.size() : most_lines, "problem");
    text += section(notes, all ? notes.size() : most_notes, "note");
    text += function_table(report_, problems_, all ? report_.targets.size() : most_rows, screen_.style);
    return text + refused_lines() + skipped_line() + folded_line() + set_aside_text(report_) + closing_line() +
           next_commands();
  }

private:
  struct ProblemGroups {
    std::vector<Problem> counting, notes;
  };
  ProblemGroups problem_groups() const {
    ProblemGroups groups;
    for (const Problem& problem : problems_)
      (problem.tier <= std::max(screen_.fail_on, Tier::warning) ? groups.counting : groups.notes).push_back(problem);
    return groups;
  }

  std::string lines(std::span<const Problem> problems, size_t most) const {
    std::string text;
    for (const Problem& problem : problems.first(std::min(most, problems.size())))
      text += problem_line(problem, screen_.style, screen_.columns);
    return text;
  }

  std::string section(std::span<const Problem> problems, size_t most, std::string_view noun) const {
    if (problems.empty())
      return {};
    std::string text = lines(problems, most);
    if (problems.size() > most)
      text += fmt::format("... and {}; -v shows them, -o FILE.html too\n",
                          counted(problems.size() - most, fmt::format("more {}", noun)));
    return text + "\n";
  }

  std::string refused_lines() const {
    std::string text;
    for (const TargetReport& target : report_.targets)
      if (target.outcome == TargetOutcome::refused)
        text += fmt::format("{} is refused: {}\n", printable(target.function), printable(target.note));
    return text;
  }

  std::string skipped_line() const {
    size_t count = 0;
    for (const auto& [obstacle, functions] : report_.skipped)
      count += functions;
    return count == 0
               ? ""
               : fmt::format("{} {} not tested: {}; faultline list --all names {}\n", counted(count, "function"),
                             count == 1 ? "was" : "were", obstacles_text(report_.skipped), count == 1 ? "it" : "them");
  }

  // Returns the reasons for inconclusive searches. A brief report has no table for them.
  std::string open_lines() const {
    std::string text;
    size_t count = 0;
    for (const TargetReport& target : report_.targets)
      if (std::ranges::find(open_outcomes, target.outcome) != std::end(open_outcomes) && ++count <= most_open)
        text += fmt::format("{}: {}{}\n", printable(target.function), model::text(target.outcome),
                            target.note.empty() ? "" : ": " + shortened(printable(target.note), widest_reason));
    if (count > most_open)
      text += fmt::format("... and {} more inconclusive functions\n", count - most_open);
    return text;
  }

  // Counts exceptions after which the result is right, and harmless underflows.
  std::string folded_line() const {
    size_t folded = 0;
    for (const TargetReport& target : report_.targets) {
      folded += target.folded;
      if (!target.shows_all)
        folded += size_t(std::ranges::count_if(target.findings, model::is_folded));
    }
    return folded ? fmt::format("{} after which the result is right {} not shown; --all shows {}\n",
                                counted(folded, "exception"), folded == 1 ? "is" : "are", folded == 1 ? "it" : "them")
                  : "";
  }

  std::string closing_line() const {
    std::vector<std::string> parts;
    for (const Tier tier : {Tier::error, Tier::warning, Tier::note})
      if (const auto count = size_t(std::ranges::count(problems_, tier, &Problem::tier)))
        parts.push_back(counted(count, text_of(tier)));
    size_t findings = 0;
    for (const Problem& problem : problems_)
      findings += problem.findings.size();
    std::string line = parts.empty() ? "no problems" : fmt::format("{}", fmt::join(parts, ", "));
    const auto refused = size_t(std::ranges::count(report_.targets, TargetOutcome::refused, &TargetReport::outcome));
    line += fmt::format(" in {}", counted(report_.targets.size() - refused, "function"));
    if (findings > 0)
      line += fmt::format(" ({})", counted(findings, "finding"));
    if (const auto proved = std::ranges::count(report_.targets, TargetOutcome::proved, &TargetReport::outcome))
      line += fmt::format("; {} proved", proved);
    std::vector<std::string> open;
    for (const TargetOutcome outcome : open_outcomes)
      if (const auto count = size_t(std::ranges::count(report_.targets, outcome, &TargetReport::outcome)))
        open.push_back(fmt::format("{} {}", count, model::text(outcome)));
    if (!open.empty())
      line += fmt::format("; inconclusive: {}", fmt::join(open, ", "));
    if (refused > 0)
      line += fmt::format("; {} refused", refused);
    return screen_.style.bold(line) + "\n";
  }
  static std::string_view text_of(Tier tier) { return model::text(tier); }

  // Returns the command of the same hunt with an HTML page.
  static std::vector<std::string> with_page(std::vector<std::string> command) {
    const auto flags = std::ranges::find(command, "--");
    command.insert(flags, {"-o", "report.html"});
    return command;
  }

  // Commands that can be run as printed.
  std::string next_commands() const {
    std::string text;
    const std::string program = model::shell_quoted(screen_.program);
    if (!problems_.empty()) {
      const Finding& first = problems_.front().representative();
      std::string command = first.explain.empty() ? first.replay : first.explain;
      if (command.starts_with("faultline "))
        text += fmt::format("  {}{}\n", program,
                            numeric::as_typed(printable(command.substr(std::string_view("faultline").size()))));
    }
    constexpr size_t longest = 160; // a command with hundreds of files is no help
    if (!problems_.empty() && !report_.command.empty() && report_.command.front() == "hunt" && !screen_.has_page)
      if (const std::string line = printable(model::shell_line(with_page(report_.command))); line.size() <= longest)
        text += fmt::format("  {} {}\n", program, line);
    return text.empty() ? text : screen_.style.faint("next:") + "\n" + text;
  }

  const Report& report_;
  const SourceLine& source_;
  const Screen& screen_;
  std::vector<Problem> problems_;
};

} // namespace

std::string set_aside_text(const Report& report) {
  const auto [suppressed, known] = hidden(report);
  std::string text = assumed_ranges(report);
  if (suppressed > 0)
    text +=
        fmt::format("{} suppressed by comments; --all shows {}\n", counted(suppressed, "finding"), them(suppressed));
  if (known > 0)
    text += fmt::format("{} known from {}; --all shows {}\n", counted(known, "finding"),
                        report.baseline ? printable(report.baseline->file) : "the baseline", them(known));
  if (report.baseline && report.baseline->gone > 0)
    text += fmt::format("{} of {} not found again\n", counted(report.baseline->gone, "finding"),
                        printable(report.baseline->file));
  return text;
}

std::string set_aside_text(const Finding& finding) {
  if (const auto& by = finding.suppressed)
    return fmt::format("by the comment at {}: {}", location_text(by->file, by->line, 0), by->reason);
  return finding.novelty == Novelty::known ? "known from the baseline" : "";
}

std::string screen_text(const RankedReport& ranked, const SourceLine& source, const Screen& screen) {
  return Painter(ranked, source, screen).text();
}

} // namespace faultline::report
