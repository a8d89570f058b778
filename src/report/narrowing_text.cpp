#include "report/narrowing_text.h"

#include "base/error.h"
#include "model/json/json_place.h"
#include "model/report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace faultline::report {

namespace {

using model::Json;
using model::RunNarrowing;

constexpr double shortest_time = 0.05;                 // CPU seconds: five steps of the kernel's clock
constexpr size_t most_wide = 12, most_diff_lines = 30; // a screen

std::string answer_words(const RunNarrowing& narrowing) {
  switch (narrowing.answer) {
  case RunNarrowing::Answer::everything:
    return "everything can be float";
  case RunNarrowing::Answer::everything_but:
    return fmt::format("everything can be float but {}", base::counted(narrowing.wide.size(), "declaration"));
  case RunNarrowing::Answer::nothing:
    break;
  }
  return "nothing: keep double";
}

const char* answer_name(RunNarrowing::Answer answer) {
  switch (answer) {
  case RunNarrowing::Answer::everything:
    return "everything";
  case RunNarrowing::Answer::everything_but:
    return "everything-but";
  case RunNarrowing::Answer::nothing:
    break;
  }
  return "nothing";
}

std::string short_path(const std::string& file) { return base::shown_path("", file); }

// Percent of the program's time.
double speedup(const RunNarrowing& narrowing) {
  return narrowing.before > 0 ? 100 * (1 - narrowing.after / narrowing.before) : 0;
}

std::string wide_table(const RunNarrowing& narrowing, const Style& style) {
  std::vector<Row> rows;
  for (const model::RunDeclaration& declaration : narrowing.wide)
    if (rows.size() < most_wide)
      rows.push_back({location_text(short_path(declaration.file), declaration.line, 0), declaration.names});
  std::string text = rows.empty() ? "" : table({{"stays double", Align::left}, {"names", Align::left}}, rows, style);
  if (narrowing.wide.size() > most_wide)
    text += fmt::format("  and {} more: -o FILE.json has all\n", narrowing.wide.size() - most_wide);
  return text;
}

std::string diff_words(const RunNarrowing& narrowing) {
  if (narrowing.diff.empty())
    return "";
  const auto lines = size_t(std::ranges::count(narrowing.diff, '\n'));
  return lines <= most_diff_lines ? "\n" + narrowing.diff
                                  : fmt::format("-o FILE.patch writes the diff ({} lines)\n", lines);
}

} // namespace

std::string narrowing_text(const RunNarrowing& narrowing, const Style& style) {
  const bool none = narrowing.answer == RunNarrowing::Answer::nothing;
  std::string text = fmt::format("{}{}\n", style.bold(answer_words(narrowing)),
                                 none ? fmt::format(" ({})", printable(narrowing.reason)) : "");
  text += wide_table(narrowing, style);
  if (!none)
    text += fmt::format("{} within {:g}: the largest error is {}\n",
                        narrowing.compared == 1 ? "1 printed number is"
                                                : fmt::format("{} printed numbers are", narrowing.compared),
                        narrowing.tolerance, measure_text(narrowing.error));
  if (narrowing.varying > 0)
    text += fmt::format("{} not compared: two runs of the program itself differ by more\n",
                        narrowing.varying == 1 ? "1 printed number is" : fmt::format("{} are", narrowing.varying));
  text += fmt::format("{} of double, {} of narrowed programs\n", base::counted(narrowing.declarations, "declaration"),
                      base::counted(narrowing.runs, "run"));
  if (!none && narrowing.before < shortest_time)
    text += "the run is too short to measure the time that this saves\n";
  else if (!none)
    text += fmt::format("{:.1f} % less CPU time: {:.3g} s instead of {:.3g} s\n", speedup(narrowing), narrowing.after,
                        narrowing.before);
  return text + (none ? "" : diff_words(narrowing));
}

std::string narrowing_json(const RunNarrowing& narrowing) {
  const auto finite = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  const bool none = narrowing.answer == RunNarrowing::Answer::nothing;
  Json wide = Json::array();
  for (const model::RunDeclaration& declaration : narrowing.wide)
    wide.push_back({{"file", short_path(declaration.file)}, {"line", declaration.line}, {"names", declaration.names}});
  const Json all = {{"faultline", model::version},
                    {"command", narrowing.command},
                    {"tolerance", narrowing.tolerance},
                    {"answer", answer_name(narrowing.answer)},
                    {"reason", narrowing.reason.empty() ? Json(nullptr) : Json(narrowing.reason)},
                    {"declarations", narrowing.declarations},
                    {"double", wide},
                    {"runs", narrowing.runs},
                    {"compared", narrowing.compared},
                    {"varying", narrowing.varying},
                    {"error", finite(narrowing.error)},
                    {"seconds",
                     {{"before", none ? Json(nullptr) : finite(narrowing.before)},
                      {"after", none ? Json(nullptr) : finite(narrowing.after)}}},
                    {"speedup", none ? Json(nullptr) : finite(speedup(narrowing))},
                    {"diff", narrowing.diff}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace faultline::report
