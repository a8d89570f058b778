#include "report/run_problems.h"

#include "report/text.h"
#include "numeric/stable_sort.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace faultline::report {

using model::RunOutput;
using model::RunPlace;
using model::RunReport;
using model::RunSite;
using model::RunTolerance;

std::string_view text(RunTier tier) {
  return tier == RunTier::error ? "error" : tier == RunTier::warning ? "warning" : "note";
}

std::string_view text(RunClass kind) {
  switch (kind) {
  case RunClass::uninitialised:
    return "uninitialised";
  case RunClass::invalid:
    return "invalid";
  case RunClass::inaccuracy:
    return "inaccuracy";
  case RunClass::precision:
    return "precision";
  case RunClass::tolerance:
    return "tolerance";
  case RunClass::branch_flip:
    return "branch-flip";
  case RunClass::overflow:
    break;
  }
  return "overflow";
}

std::string place_words(const RunPlace& place) {
  return place.line == 0 ? "an unknown place" : fmt::format("{}:{}", place.file, place.line);
}

namespace {

std::string number_words(double value) { return fmt::format("{:.5g}", value); }

std::string times(uint64_t count) {
  return count == 1 ? "once" : fmt::format("{} times", count_text(double(count)));
}

std::string output_words(const RunOutput& output) {
  const std::string where = output.line ? fmt::format("line {} of standard output, ", output.line) : "";
  return fmt::format("{}printed at {}: {}", where, place_words(output.place), number_words(output.value));
}

// The operation that loses the most digits on the line.
const RunSite* losing_site(const RunReport& report, const RunPlace& place) {
  const RunSite* found = nullptr;
  for (const RunSite& site : report.sites)
    if (site.losses > 0 && site.place.line == place.line && site.place.file == place.file &&
        (!found || site.loss > found->loss))
      found = &site;
  return found;
}

struct OutputGroup {
  RunPlace place;
  std::vector<const RunOutput*> outputs;
  const RunOutput* worst = nullptr;
  bool cause_known = false;
};

// An error far below the other numbers, in the place of an exact 0 for example.
bool is_insignificant(const RunOutput& output, double largest) {
  return std::fabs(output.residue) + std::fabs(output.value) < 1e-20 * largest;
}

RunProblem problem_of(const RunReport& report, const OutputGroup& group, double largest) {
  const RunOutput& worst = *group.worst;
  RunProblem problem{.kind = RunClass::inaccuracy, .tier = RunTier::note, .place = group.place, .title = {}, .seen = {}};
  const bool few = worst.digits < few_digits;
  if (few && !std::ranges::all_of(group.outputs, [&](const RunOutput* one) { return is_insignificant(*one, largest); }))
    problem.tier = RunTier::warning;
  const std::string numbers = counted(group.outputs.size(), "printed number");
  if (!group.cause_known)
    problem.title = fmt::format("{} with few right digits", numbers);
  else if (const RunSite* site = losing_site(report, group.place)) {
    problem.place = site->place;
    problem.title = fmt::format("the {} loses digits of {}", site->operation, numbers);
    problem.seen.push_back(fmt::format("{} of {} executions lose 3 digits or more, {:.1f} at worst",
                                       count_text(double(site->losses)),
                                       count_text(double(std::max(site->executions, site->losses))), site->loss));
  } else {
    problem.title = fmt::format("roundings of this line cost digits of {}", numbers);
  }
  problem.seen.insert(problem.seen.begin(), fmt::format("{}, {:.1f} right digits", output_words(worst), worst.digits));
  problem.confirmed =
      std::ranges::all_of(group.outputs, [](const RunOutput* output) { return output->confirmed; });
  problem.weight = double(group.outputs.size()) + (few ? 1e6 : 0) - worst.digits / 16;
  return problem;
}

// The numbers with few digits, by cause; those of unknown cause by the call that prints them.
void add_outputs(const RunReport& report, std::vector<RunProblem>& problems) {
  std::map<std::pair<std::string, int>, OutputGroup> groups;
  double largest = 0;
  for (const RunOutput& output : report.outputs) {
    if (std::isfinite(output.value))
      largest = std::max(largest, std::fabs(output.value));
    const bool known = output.cause.line != 0;
    const bool cancelled = known && output.digits < cancelled_digits && losing_site(report, output.cause);
    if (!(output.digits < half_of_digits) && !cancelled)
      continue;
    const RunPlace& place = known ? output.cause : output.place;
    OutputGroup& group = groups[{place.file, place.line}];
    group.outputs.push_back(&output);
    group.place = place;
    group.cause_known = known;
    if (!group.worst || output.digits < group.worst->digits)
      group.worst = &output;
  }
  for (const auto& [key, group] : groups)
    problems.push_back(problem_of(report, group, largest));
}

void add_births(const RunReport& report, std::vector<RunProblem>& problems) {
  const auto printed_nan =
      std::ranges::find_if(report.outputs, [](const RunOutput& output) { return std::isnan(output.value); });
  const auto end = std::ranges::find_if(report.sites, [](const RunSite& site) { return site.nan_ends > 0; });
  for (const RunSite& site : report.sites) {
    if (site.nans == 0)
      continue;
    RunProblem problem{.kind = RunClass::invalid,
                       .tier = RunTier::warning,
                       .place = site.place,
                       .title = fmt::format("a NaN is born in the {}", site.operation),
                       .seen = {times(site.nans)},
                       .confirmed = site.confirmed,
                       .weight = double(site.nans)};
    if (printed_nan != report.outputs.end())
      problem.seen.push_back("a NaN is printed: " + output_words(*printed_nan));
    else if (end != report.sites.end())
      problem.seen.push_back(fmt::format("no NaN is printed: the {} at {} takes it ({})", end->operation,
                                         place_words(end->place), times(end->nan_ends)));
    else
      problem.seen.push_back("no NaN is printed");
    if (site.confirmed && (printed_nan != report.outputs.end() || end != report.sites.end()))
      problem.tier = RunTier::error;
    problems.push_back(problem);
  }
}

void add_infinities(const RunReport& report, std::vector<RunProblem>& problems) {
  const auto printed =
      std::ranges::find_if(report.outputs, [](const RunOutput& output) { return std::isinf(output.value); });
  for (const RunSite& site : report.sites)
    if (site.infinities > 0)
      problems.push_back({.kind = RunClass::overflow,
                          .tier = printed == report.outputs.end() ? RunTier::note : RunTier::warning,
                          .place = site.place,
                          .title = fmt::format("an infinity is born in the {}", site.operation),
                          .seen = {times(site.infinities), printed == report.outputs.end()
                                                               ? "no infinity is printed"
                                                               : "one is printed: " + output_words(*printed)},
                          .confirmed = site.confirmed,
                          .weight = double(site.infinities)});
}

// Few digits are surely a slip; a constant with more may have been cut on purpose.
bool is_short_literal(float constant) {
  constexpr int most = 6; // digits
  return std::stof(fmt::format("{:.{}g}", constant, most)) == constant;
}

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

// The column of a literal with this value in single precision; 0 if the line has none.
int literal_column(const std::string& line, float constant) {
  for (size_t i = 0; i < line.size();) {
    size_t end = i;
    while (end < line.size() && (is_of_word(line[end]) || ((line[end] == '-' || line[end] == '+') && end > i &&
                                                           std::tolower(line[end - 1]) == 'e')))
      ++end;
    const std::string word = line.substr(i, end - i);
    char* rest = nullptr;
    const bool is_number = !word.empty() && word.find_first_of("0123456789") < 2 && !std::isalpha(word[0]);
    if (is_number && std::strtof(word.c_str(), &rest) == std::fabs(constant) &&
        (*rest == 0 || std::tolower(*rest) == 'f'))
      return int(i) + 1;
    i = std::max(end, i + 1);
  }
  return 0;
}

// The literal itself: the nearest line with it, of the lines before those that use it first, as declarations are.
RunPlace literal_place(const RunPlace& use, float constant, const SourceLine& source) {
  constexpr int most = 100'000; // lines
  RunPlace found = use;
  const auto has_it = [&](int line) {
    const std::optional<std::string> text = source(use.file, line);
    const int column = text ? literal_column(*text, constant) : 0;
    if (column > 0) {
      found.line = line;
      found.column = column;
    }
    return column > 0;
  };
  for (int line = use.line; line > 0; --line)
    if (has_it(line))
      return found;
  for (int line = use.line + 1; line < most && source(use.file, line); ++line)
    if (has_it(line))
      return found;
  return use;
}

struct UsedConstant {
  RunPlace place;
  uint64_t uses = 0, lines = 0;
};

void add_constants(const RunReport& report, const SourceLine& source, std::vector<RunProblem>& problems) {
  std::map<std::tuple<std::string, int, double>, UsedConstant> constants;
  for (const RunSite& site : report.sites)
    if (site.constant != 0) {
      const RunPlace place = literal_place(site.place, float(site.constant), source);
      UsedConstant& one = constants[{place.file, place.line, std::fabs(site.constant)}];
      one.place = place;
      one.uses += site.executions;
      ++one.lines;
    }
  for (const auto& [key, used] : constants) {
    const double value = std::get<2>(key);
    const std::string literal = fmt::format("{}", float(value));
    problems.push_back({.kind = RunClass::precision,
                        .tier = is_short_literal(float(value)) ? RunTier::warning : RunTier::note,
                        .place = used.place,
                        .title = fmt::format("{} has single precision here: {}", literal, value),
                        .seen = {fmt::format("used {} among doubles; its relative error is {:.1e}", times(used.uses),
                                             std::fabs(value - std::stod(literal)) / value)},
                        .confirmed = true, // it stands in the code
                        .weight = double(used.uses)});
  }
}

void add_widenings(const RunReport& report, std::vector<RunProblem>& problems) {
  for (const RunSite& site : report.sites)
    if (site.widened > 0)
      problems.push_back({.kind = RunClass::precision,
                          .tier = RunTier::note,
                          .place = site.place,
                          .title = "a result of single precision goes on as a double",
                          .seen = {fmt::format("{}, inexact: it has about 7 digits", times(site.widened))},
                          .confirmed = true,
                          .weight = double(site.widened)});
}

void add_flips(const RunReport& report, std::vector<RunProblem>& problems) {
  for (const RunSite& site : report.sites) {
    if (site.flips == 0 || site.mattered == false)
      continue;
    const std::string effect = !site.mattered ? "whether it matters is not known"
                                              : "with the exact outcome the program prints other results";
    problems.push_back(
        {.kind = RunClass::branch_flip,
         .tier = site.mattered == true ? RunTier::warning : RunTier::note,
         .place = site.place,
         .title = fmt::format("rounding flips the {}", site.operation),
         .seen = {fmt::format("{} of {}; first {} {} with an error of {}", times(site.flips),
                              count_text(double(std::max(site.executions, site.flips))),
                              site.operation == "comparison" ? "a difference of" : "of", number_words(site.value),
                              measure_text(std::fabs(site.residue))),
                  effect},
         .confirmed = site.confirmed,
         .weight = double(site.flips)});
  }
}

void add_tolerances(const RunReport& report, std::vector<RunProblem>& problems) {
  for (const RunTolerance& tolerance : report.tolerances) {
    RunProblem problem{.kind = RunClass::tolerance,
                       .tier = RunTier::warning,
                       .place = tolerance.place,
                       .title = {},
                       .seen = {},
                       .confirmed = true};
    if (tolerance.noise) {
      problem.title = "the tolerance of this loop is not reached";
      problem.seen.push_back(fmt::format("{} tests compare a quantity without a right digit: it can become no smaller",
                                         count_text(double(tolerance.numbers))));
    } else {
      const RunOutput& worst = report.outputs[tolerance.worst];
      if (tolerance.digits >= few_digits)
        problem.tier = RunTier::note;
      problem.title = fmt::format("the loop ends by its tolerance before {} have their digits",
                                  counted(tolerance.numbers, "printed number"));
      problem.seen.push_back(fmt::format("{}; a tolerance 256 times smaller leaves {:.1f} digits of it, rounding {:.1f}",
                                         output_words(worst), tolerance.digits, worst.digits));
    }
    problem.weight = double(tolerance.numbers) - tolerance.digits / 17;
    problems.push_back(problem);
  }
}

void add_uninitialised(const RunReport& report, std::vector<RunProblem>& problems) {
  for (const RunSite& site : report.sites)
    if (site.uninitialised > 0)
      problems.push_back({.kind = RunClass::uninitialised,
                          .tier = site.mattered == true ? RunTier::error : RunTier::warning,
                          .place = site.place,
                          .title = fmt::format("the {} uses a value that was never written", site.operation),
                          .seen = {(site.origin.line == 0 ? "" : "in memory from " + place_words(site.origin) + "; ") +
                                   fmt::format("with NaN in fresh memory the program prints {} results",
                                               site.mattered == true ? "other" : "the same")},
                          .confirmed = true});
}

} // namespace

std::vector<RunProblem> problems_of(const RunReport& report, const SourceLine& source) {
  std::vector<RunProblem> problems;
  add_uninitialised(report, problems);
  add_births(report, problems);
  add_outputs(report, problems);
  add_constants(report, source, problems);
  add_widenings(report, problems);
  add_tolerances(report, problems);
  add_flips(report, problems);
  add_infinities(report, problems);
  numeric::sort_stably(problems, [](const RunProblem& a, const RunProblem& b) {
    return std::tuple(a.tier, a.kind, -a.weight) < std::tuple(b.tier, b.kind, -b.weight);
  });
  return problems;
}

bool has_problem(const RunReport& report, const SourceLine& source, RunTier tier) {
  return std::ranges::any_of(problems_of(report, source),
                             [&](const RunProblem& problem) { return problem.tier <= tier; });
}

} // namespace faultline::report
