#include "report/status_text.h"

#include "report/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

namespace faultline::report {

using namespace model;

namespace {

std::string input_of(const Problem& problem) {
  constexpr size_t few = 4; // inputs that fit into a line
  std::vector<std::string> words;
  for (const NamedNumber& number : problem.representative().input)
    if (words.size() < few)
      words.push_back(fmt::format("{}={}", number.name, number.value.decimal));
  return fmt::format("{}{}", fmt::join(words, " "), problem.representative().input.size() > few ? " ..." : "");
}

std::string change_line(const std::string& word, const Problem& problem, const std::string& more = {}) {
  return word +
         printable(fmt::format(" {}:{}: {}: {} in {}, {}{}", problem.file, problem.line, model::text(problem.tier),
                               problem.fault, problem.target().function, input_of(problem), more)) +
         "\n";
}

std::string size_text(const Problem& problem) {
  const std::string tier(model::text(problem.tier));
  if (!problem.worst.finding || !problem.worst.finding->error)
    return tier;
  return fmt::format("{}, error {:.2g}", tier, problem.worst.finding->error->relative);
}

std::string time_text(int64_t seconds) {
  const auto time = std::time_t(seconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts);
  return text.data();
}

std::string functions_text(const CampaignStatus& status) {
  if (status.functions + status.gone == 0)
    return status.is_running ? "the code is being read" : "the code is read when the first run begins";
  std::string text = fmt::format("{}, {} looked at", counted(status.functions, "function"), status.looked_at);
  if (status.refused > 0)
    text += fmt::format(", {} that cannot be tested", status.refused);
  if (status.gone > 0)
    text += fmt::format(", {} gone", status.gone);
  return text;
}

std::string work_text(const CampaignStatus& status) {
  std::string text = fmt::format("{}, {} evaluations, {}", counted(status.jobs, "job"), status.evaluations,
                                 duration_text(status.seconds));
  if (status.cut > 0)
    text += fmt::format("; {} cut off by the clock", counted(status.cut, "job"));
  return text;
}

std::string sites_text(const CampaignStatus& status) {
  return fmt::format("{} of {} reached ({:.0f} %)", status.reached, counted(status.sites, "operation"),
                     100 * double(status.reached) / double(std::max<uint64_t>(status.sites, 1)));
}

std::string table_text(const CampaignStatus& status, const Style& style, size_t columns, size_t most) {
  constexpr size_t others = 57; // columns of the table besides the names, including separators
  std::vector<Row> rows;
  for (const CampaignFunction& function : std::span(status.most_time).first(std::min(most, status.most_time.size())))
    rows.push_back({function.function, std::to_string(function.rounds), std::to_string(function.evaluations),
                    duration_text(function.seconds), std::to_string(function.errors), std::to_string(function.warnings),
                    std::to_string(function.quiet)});
  if (rows.empty())
    return {};
  return "\n" + table({{"most time", Align::left, std::max<size_t>(columns, others + 16) - others},
                       {"rounds", Align::right},
                       {"evaluations", Align::right},
                       {"time", Align::right},
                       {"errors", Align::right},
                       {"warnings", Align::right},
                       {"quiet", Align::right}},
                      rows, style);
}

std::string runs_text(const CampaignStatus& status, const Style& style, bool full) {
  constexpr size_t few = 5;
  std::vector<Row> rows;
  const size_t first = full || status.runs.size() <= few ? 0 : status.runs.size() - few;
  for (size_t i = first; i < status.runs.size(); ++i) {
    const CampaignRun& run = status.runs[i];
    const bool under_way = !run.ended && i + 1 == status.runs.size() && status.is_running;
    rows.push_back({std::to_string(run.id), time_text(run.started),
                    run.ended ? duration_text(double(*run.ended - run.started)) : "",
                    under_way   ? "under way"
                    : run.ended ? run.ending
                                : "killed",
                    run.commit.substr(0, 12)});
  }
  if (rows.empty())
    return {};
  return "\n" +
         table({{"run", Align::right}, {"begun (UTC)"}, {"took", Align::right}, {"ended by"}, {"commit"}}, rows, style);
}

} // namespace

std::string comparison_text(const Comparison& comparison, const Style& style, bool quiet) {
  std::string text;
  for (const Problem* problem : comparison.fresh)
    text += change_line(style.bad("new      "), *problem);
  for (const auto& [before, after] : comparison.changed)
    text += change_line(style.warn("changed  "), *after,
                        fmt::format(" (was {}; is {})", size_text(*before), size_text(*after)));
  for (const Problem* problem : comparison.fixed)
    text += change_line(style.mark("fixed    "), *problem);
  for (const Problem* problem : comparison.gone)
    text += change_line("gone     ", *problem);
  if (!quiet)
    for (const Problem* problem : comparison.unchanged)
      text += change_line(style.faint("unchanged"), *problem);
  return text + fmt::format("{} new, {} changed, {} fixed, {} gone with their functions, {} unchanged\n",
                            comparison.fresh.size(), comparison.changed.size(), comparison.fixed.size(),
                            comparison.gone.size(), comparison.unchanged.size());
}

std::string duration_text(double seconds) {
  if (seconds >= 100 && seconds < 600) {
    const auto whole = int(seconds);
    return whole % 60 == 0 ? fmt::format("{} min", whole / 60) : fmt::format("{} min {} s", whole / 60, whole % 60);
  }
  return seconds < 100    ? fmt::format("{:.1f} s", seconds)
         : seconds < 6000 ? fmt::format("{:.0f} min", std::floor(seconds / 60))
                          : fmt::format("{:.1f} h", seconds / 3600);
}

std::string curve_text(const std::vector<CampaignPoint>& curve) {
  constexpr size_t columns = 60, lines = 8;
  if (curve.size() < 2 || !(curve.back().seconds > 0))
    return {};
  std::array<uint64_t, columns> heights{};
  uint64_t most = 1;
  size_t point = 0;
  for (size_t column = 0; column < columns; ++column) {
    const double until = curve.back().seconds * double(column + 1) / double(columns);
    while (point + 1 < curve.size() && curve[point + 1].seconds <= until)
      ++point;
    heights[column] = curve[point].seconds <= until ? curve[point].problems() : 0;
    most = std::max(most, heights[column]);
  }
  std::string text;
  for (size_t line = lines; line-- > 0;) {
    const double from = double(most) * double(line) / double(lines);
    std::string row = line + 1 == lines ? fmt::format("{:>8} |", most) : "         |";
    for (const uint64_t height : heights)
      row += double(height) > from ? '#' : ' ';
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  const std::string end = duration_text(curve.back().seconds);
  text += "       0 +" + std::string(columns, '-') + "\n";
  return text + fmt::format("          0{:>{}}\n", end, columns - 1);
}

std::string outlook_text(const CampaignStatus& status) {
  if (status.looked_at < status.functions - std::min(status.functions, status.refused))
    return fmt::format("More time is likely to find more: {} not been looked at.",
                       status.functions - status.refused - status.looked_at == 1
                           ? std::string("1 function has")
                           : fmt::format("{} functions have", status.functions - status.refused - status.looked_at));
  if (!status.unseen)
    return "Too early to tell whether more time will find more: too few functions have had several rounds.";
  const CampaignUnseen& unseen = *status.unseen;
  const std::string basis = fmt::format(
      "about {:.0f} more errors and warnings are within reach of these searches (95 %: {:.0f} to {:.0f}; "
      "by what {} with several rounds saw once or twice)",
      unseen.estimate, std::floor(unseen.low), std::ceil(unseen.high), counted(unseen.functions, "function"));
  // A guess: less than one in twenty of the known problems is not worth another night.
  const double worth = std::max(1.0, 0.05 * double(status.errors + status.warnings));
  return fmt::format("More time is {} to find more: {}.", unseen.estimate <= worth ? "unlikely" : "likely", basis);
}

std::string status_text(const CampaignStatus& status, const Style& style, const StatusForm& form) {
  std::string text = fmt::format("{}: {}{}\n", style.bold(status.folder), functions_text(status),
                                 status.is_running ? "; a run is under way" : "") +
                     fmt::format("{}\n{}\n", work_text(status), sites_text(status)) +
                     fmt::format("{}, {}, {}\n", counted(status.errors, "error"), counted(status.warnings, "warning"),
                                 counted(status.notes, "note"));
  const std::string outlook = fmt::format("\n{}\n", fmt::join(wrapped(outlook_text(status), form.columns), "\n"));
  std::string curve = curve_text(status.curve);
  if (!curve.empty())
    curve = "\nerrors and warnings over the time of all workers\n" + curve;
  if (!form.lines)
    return text + curve + table_text(status, style, form.columns, status.most_time.size()) +
           runs_text(status, style, form.full) + outlook;
  text += outlook;
  const auto room = [&] { // remaining lines
    return *form.lines - std::min(*form.lines, size_t(std::ranges::count(text, '\n')));
  };
  if (size_t(std::ranges::count(curve, '\n')) <= room())
    text += curve;
  constexpr size_t frame = 2; // an empty line and the titles
  return room() > frame ? text + table_text(status, style, form.columns, room() - frame) : text;
}

std::string status_line(const CampaignStatus& status) {
  return fmt::format("{} of {} looked at, {}, {} evaluations, {}, {}", status.looked_at,
                     counted(status.functions, "function"), counted(status.jobs, "job"), status.evaluations,
                     counted(status.errors, "error"), counted(status.warnings, "warning"));
}

} // namespace faultline::report
