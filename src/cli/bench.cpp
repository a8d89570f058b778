#include "cli/bench.h"

#include "cli/values.h"
#include "frontend/error.h"
#include "search/strategy.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr const char* examples = R"(Suites:
  gsl             special functions of the GNU Scientific Library, searched for rounding errors
  gsl-exceptions  the same library, searched for overflows, underflows, divisions by zero and invalid operations
  fpgen           summations, linear algebra and statistics on arrays, searched for rounding errors
  fpse            path conditions over floats, solved; with filtering by ULP-max and without
  smt             the solvers on a folder of SMT-LIB files

Examples:
  faultline bench gsl                 all of it
  faultline bench fpse -o fpse.csv    a line for each program and path
  faultline bench smt problems/       each solver, 10 s a file
  faultline bench gsl --help          what a suite does, and its options)";

struct Suite {
  const char* name;
  int (*run)(const Line& line);
};

constexpr Suite suites[] = {
    {"gsl", bench_gsl},     {"fpse", bench_fpse}, {"gsl-exceptions", bench_gsl_exceptions},
    {"fpgen", bench_fpgen}, {"smt", bench_smt},
};

const Suite* find_suite(const std::string& name) {
  const auto* found = std::ranges::find_if(suites, [&](const Suite& suite) { return suite.name == name; });
  return found == std::end(suites) ? nullptr : found;
}

// The suite is the first word as a rule; options may stand before it.
std::vector<std::string>::const_iterator suite_word(const std::vector<std::string>& words) {
  const auto named = std::ranges::find_if(words, [](const std::string& word) { return find_suite(word) != nullptr; });
  return named != words.end() && !words.front().starts_with("-") ? words.begin() : named;
}

} // namespace

std::vector<BenchReport> bench_reports(const std::vector<std::string>& files) {
  std::vector<BenchReport> all;
  std::set<std::string> seen;
  for (const std::string& file : files) {
    const std::string ending = std::filesystem::path(file).extension().string();
    if (file != "-" && ending != ".json" && ending != ".csv")
      throw UserError(status_usage, fmt::format("-o {}: the ending does not say what to write", file),
                      ".json, .csv, or -o - for JSON on standard output");
    all.push_back({report::OutputFile(file), ending == ".csv"});
    if (!seen.insert(all.back().file.destination()).second)
      throw UserError(status_usage, fmt::format("-o {}: given twice", file), "name each report once");
  }
  return all;
}

int conclude(const std::vector<BenchReport>& reports, const BenchTexts& texts, bool interrupted) {
  if (std::ranges::none_of(reports, [](const BenchReport& output) { return output.file.is_standard_output(); }))
    report::print(texts.table());
  for (const BenchReport& output : reports)
    output.file.write(output.csv ? texts.csv() : texts.json());
  if (!interrupted)
    return 0;
  fmt::print(stderr, "faultline: interrupted; this is what was found until then\n");
  return status_inconclusive;
}

std::vector<std::string> bench_strategies(const char* option, const std::string& typed,
                                          const std::vector<std::string>& defaults) {
  const std::vector<std::string> known = search::strategy_names();
  const auto is_known = [&](const std::string& name) { return std::ranges::find(known, name) != known.end(); };
  std::vector<std::string> chosen;
  if (typed.empty())
    std::ranges::copy_if(defaults, std::back_inserter(chosen), is_known);
  if (typed.empty() || typed == "none")
    return chosen;
  for (const std::string& name : comma_list(typed)) {
    if (!is_known(name))
      throw UserError(status_usage, fmt::format("{} {}: there is no strategy '{}'", option, typed, name),
                      fmt::format("a comma list of {}, or none", fmt::join(known, ", ")));
    if (std::ranges::find(chosen, name) != chosen.end())
      throw UserError(status_usage, fmt::format("{} {}: {} is given twice", option, typed, name), "name each once");
    chosen.push_back(name);
  }
  return chosen;
}

int bench(const Line& line) {
  const auto word = suite_word(line.words);
  const Suite* suite = word == line.words.end() ? nullptr : find_suite(*word);
  if (!suite) {
    CLI::App app("Runs an evaluation suite.", "faultline bench");
    app.footer(examples);
    std::string name;
    app.add_option("SUITE", name, "gsl, gsl-exceptions, fpgen, fpse or smt")->option_text(" ");
    parse(app, line);
    throw UserError(status_usage, name.empty() ? "no suite given" : fmt::format("there is no suite '{}'", name),
                    "faultline bench gsl");
  }
  Line rest = line;
  rest.words.erase(rest.words.begin() + (word - line.words.begin()));
  return suite->run(rest);
}

} // namespace faultline::cli
