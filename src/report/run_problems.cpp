#include "report/run_problems.h"

#include "report/text.h"
#include "numeric/stable_sort.h"

#include <algorithm>
#include <cmath>
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
  return std::fabs(output.residue) + std::fabs(output.value) < 1e-16 * largest;
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
    if (!(output.digits < half_of_digits))
      continue;
    const bool known = output.cause.line != 0;
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

// Digits of the literal: few are surely a slip, eight may be a constant that was cut on purpose.
bool is_short_literal(double constant) {
  constexpr size_t most = 6 + 1; // and the point
  return fmt::format("{}", float(constant)).find_first_of("eE") == std::string::npos
             ? fmt::format("{}", std::fabs(float(constant))).size() <= most + 1
             : true;
}

void add_constants(const RunReport& report, std::vector<RunProblem>& problems) {
  std::map<std::tuple<std::string, int, double>, uint64_t> seen;
  for (const RunSite& site : report.sites)
    if (site.constant != 0)
      seen[{site.place.file, site.place.line, site.constant}] += site.executions;
  for (const RunSite& site : report.sites) {
    const auto found = site.constant == 0 ? seen.end() : seen.find({site.place.file, site.place.line, site.constant});
    if (found == seen.end())
      continue;
    problems.push_back({.kind = RunClass::precision,
                        .tier = is_short_literal(site.constant) ? RunTier::warning : RunTier::note,
                        .place = site.place,
                        .title = fmt::format("{} is a literal of single precision among doubles: {}",
                                             float(site.constant), site.constant),
                        .seen = {fmt::format("used {}; the relative error of the literal is {:.1e}",
                                             times(found->second),
                                             std::fabs(site.constant - std::stod(fmt::format("{}", float(site.constant)))) /
                                                 std::fabs(site.constant))},
                        .confirmed = true, // it stands in the code
                        .weight = double(found->second)});
    seen.erase(found);
  }
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
                          .seen = {site.mattered == true
                                       ? "with NaN in fresh memory the program prints other results"
                                       : "with NaN in fresh memory the program prints the same results"},
                          .confirmed = true});
}

} // namespace

std::vector<RunProblem> problems_of(const RunReport& report) {
  std::vector<RunProblem> problems;
  add_uninitialised(report, problems);
  add_births(report, problems);
  add_outputs(report, problems);
  add_constants(report, problems);
  add_tolerances(report, problems);
  add_flips(report, problems);
  add_infinities(report, problems);
  numeric::sort_stably(problems, [](const RunProblem& a, const RunProblem& b) {
    return std::tuple(a.tier, a.kind, -a.weight) < std::tuple(b.tier, b.kind, -b.weight);
  });
  return problems;
}

} // namespace faultline::report
