#include "report/screen/screen.h"

#include "finding/shell.h"
#include "numeric/decimal.h"
#include "report/screen/function_table.h"
#include "report/screen/problem_text.h"
#include "report/set_aside_text.h"
#include "report/table.h"
#include "report/text.h"
#include "report/wording.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using finding::Problem;
using finding::Report;
using finding::TargetOutcome;
using finding::TargetReport;
using finding::Tier;

namespace {

// With ten problems in full, a library's report stays below 200 lines.
constexpr size_t most_lines = 20, most_notes = 12;
constexpr size_t most_open = 5, widest_reason = 160; // of a brief report

constexpr TargetOutcome open_outcomes[] = {TargetOutcome::unknown, TargetOutcome::timed_out, TargetOutcome::crashed,
                                           TargetOutcome::interrupted};

class Painter {
public:
  Painter(const finding::RankedReport& ranked, const SourceLine& source, const Screen& screen)
      : report_(ranked.report), source_(source), screen_(screen), problems_(shown_problems(ranked)) {}

  std::string text() const {
    if (screen_.detail == Detail::brief)
      return lines(problems_, problems_.size()) + open_lines() + closing_line();
    std::string text;
    if (screen_.detail == Detail::full)
      for (const Problem& problem : problems_)
        for (const finding::Evidence& evidence : problem.findings)
          text += finding_text(*evidence.target, *evidence.finding, source_, screen_.style);
    const auto [counting, notes] = parted();
    const size_t in_full = std::min(screen_.limit, counting.size());
    for (size_t i = 0; i < in_full; ++i)
      text += problem_block(counting[i], source_, screen_.style);
    const bool all = screen_.detail == Detail::full;
    text += section(std::span(counting).subspan(in_full), all ? counting.size() : most_lines, "problem");
    text += section(notes, all ? notes.size() : most_notes, "note");
    text += function_table(report_, problems_, all ? report_.targets.size() : most_rows, screen_.style);
    return text + refused_lines() + folded_line() + set_aside_text(report_) + closing_line() + next_commands();
  }

private:
  struct Parted {
    std::vector<Problem> counting, notes;
  };
  Parted parted() const {
    Parted parts;
    for (const Problem& problem : problems_)
      (problem.tier <= std::max(screen_.fail_on, Tier::warning) ? parts.counting : parts.notes).push_back(problem);
    return parts;
  }

  std::string lines(std::span<const Problem> problems, size_t most) const {
    std::string text;
    for (const Problem& problem : problems.first(std::min(most, problems.size())))
      text += problem_line(problem, screen_.style);
    return text;
  }

  std::string section(std::span<const Problem> problems, size_t most, std::string_view noun) const {
    if (problems.empty())
      return {};
    std::string text = lines(problems, most);
    if (problems.size() > most)
      text += fmt::format("... and {} more {}{}; -v shows them, -o FILE.html too\n", problems.size() - most, noun,
                          problems.size() - most == 1 ? "" : "s");
    return text + "\n";
  }

  std::string refused_lines() const {
    std::string text;
    for (const TargetReport& target : report_.targets)
      if (target.outcome == TargetOutcome::refused)
        text += fmt::format("{} is refused: {}\n", printable(target.function), printable(target.note));
    return text;
  }

  // Why the search in a function is not conclusive: a brief report has no table that says so.
  std::string open_lines() const {
    std::string text;
    size_t count = 0;
    for (const TargetReport& target : report_.targets)
      if (std::ranges::find(open_outcomes, target.outcome) != std::end(open_outcomes) && ++count <= most_open)
        text += fmt::format("{}: {}{}\n", printable(target.function), finding::text(target.outcome),
                            target.note.empty() ? "" : ": " + shortened(printable(target.note), widest_reason));
    if (count > most_open)
      text += fmt::format("... and {} more functions that are not conclusive\n", count - most_open);
    return text;
  }

  // Exceptions after which the result is right, and underflows that do not matter.
  std::string folded_line() const {
    size_t folded = 0;
    for (const TargetReport& target : report_.targets) {
      folded += target.folded;
      if (!target.shows_all)
        folded += size_t(std::ranges::count_if(target.findings, finding::is_folded));
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
        open.push_back(fmt::format("{} {}", count, finding::text(outcome)));
    if (!open.empty())
      line += fmt::format("; not conclusive: {}", fmt::join(open, ", "));
    if (refused > 0)
      line += fmt::format("; {} refused", refused);
    return screen_.style.bold(line) + "\n";
  }
  static std::string_view text_of(Tier tier) { return finding::text(tier); }

  // The same hunt, with a page to look at.
  static std::vector<std::string> with_page(std::vector<std::string> command) {
    const auto flags = std::ranges::find(command, "--");
    command.insert(flags, {"-o", "report.html"});
    return command;
  }

  // Runnable as they are printed.
  std::string next_commands() const {
    std::string text;
    const std::string program = finding::shell_quoted(screen_.program);
    if (!problems_.empty()) {
      const finding::Finding& first = problems_.front().representative();
      std::string command = first.explain.empty() ? first.replay : first.explain;
      if (command.starts_with("faultline "))
        text += fmt::format("  {}{}\n", program,
                            numeric::as_typed(printable(command.substr(std::string_view("faultline").size()))));
    }
    if (!problems_.empty() && !report_.command.empty() && report_.command.front() == "hunt" && !screen_.has_page)
      text += fmt::format("  {} {}\n", program, printable(finding::shell_line(with_page(report_.command))));
    return text.empty() ? text : screen_.style.faint("next:") + "\n" + text;
  }

  const Report& report_;
  const SourceLine& source_;
  const Screen& screen_;
  std::vector<Problem> problems_;
};

} // namespace

std::string screen_text(const finding::RankedReport& ranked, const SourceLine& source, const Screen& screen) {
  return Painter(ranked, source, screen).text();
}

} // namespace faultline::report
