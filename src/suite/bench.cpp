#include "suite/bench.h"

#include "finding/settings/values.h"
#include "frontend/error.h"
#include "search/strategy.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace faultline::suite {

using finding::Form;
using frontend::status_usage;
using frontend::UserError;

size_t Csv::column(std::string_view title) const {
  const auto found = std::ranges::find(titles, title);
  if (found == titles.end())
    throw UserError(status_usage, fmt::format("{}: there is no column '{}'", name, title));
  return size_t(found - titles.begin());
}

Csv parse_csv(std::string_view text, const std::string& name) {
  const auto refuse = [&](size_t line, const std::string& why) {
    throw UserError(status_usage, fmt::format("{}:{}: {}", name, line, why),
                    "put cells with commas or quotes in double quotes");
  };
  Csv csv;
  csv.name = name;
  finding::CsvLines lines(text, refuse);
  if (lines.at_end())
    refuse(0, "there are no titles");
  csv.titles = lines.cells();
  while (!lines.at_end()) {
    csv.rows.push_back(lines.cells());
    if (csv.rows.back().size() != csv.titles.size())
      refuse(lines.line(), fmt::format("{} cells under {} titles", csv.rows.back().size(), csv.titles.size()));
  }
  return csv;
}

namespace {

constexpr const char* examples = R"(Suites:
  gsl             special functions of the GNU Scientific Library, searched for rounding errors
  gsl-exceptions  the same library, searched for overflows, underflows, divisions by zero and invalid operations
  fpgen           summations, linear algebra and statistics on arrays, searched for rounding errors
  fpse            path conditions over floats, solved; with filtering by ULP-max and without
  bounds          bounds of the largest errors of functions of FPBench
  fpcore          FPCores written and read back: their values must be equal, bit for bit
  smt             the solvers on a folder of SMT-LIB files

Examples:
  faultline bench gsl                 all of it
  faultline bench fpse -o fpse.csv    a line per program and path
  faultline bench smt problems/       each solver, 10 s per file
  faultline bench gsl --help          what a suite does, and its options)";

struct Suite {
  const char* name;
  int (*run)(const cli::CommandLine& line);
};

constexpr Suite suites[] = {
    {"gsl", bench_gsl},
    {"gsl-exceptions", bench_gsl_exceptions},
};

const Suite* find_suite(const std::string& name) {
  const auto* found = std::ranges::find_if(suites, [&](const Suite& suite) { return suite.name == name; });
  return found == std::end(suites) ? nullptr : found;
}

// Usually the suite is the first word. Options may precede it.
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
    all.push_back({cli::OutputFile(file), ending == ".csv"});
    if (!seen.insert(all.back().file.destination()).second)
      throw UserError(status_usage, fmt::format("-o {}: given twice", file), "name each report once");
  }
  return all;
}

int conclude(const std::vector<BenchReport>& reports, const BenchTexts& texts, bool interrupted) {
  if (std::ranges::none_of(reports, [](const BenchReport& output) { return output.file.is_standard_output(); }))
    cli::print(texts.table());
  for (const BenchReport& output : reports)
    output.file.write(output.csv ? texts.csv() : texts.json());
  if (!interrupted)
    return 0;
  fmt::print(stderr, "faultline: interrupted; this is what was found until then\n");
  return frontend::status_inconclusive;
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
  for (const std::string& name : finding::comma_list(typed)) {
    if (!is_known(name))
      throw UserError(status_usage, fmt::format("{} {}: there is no strategy '{}'", option, typed, name),
                      fmt::format("a comma list of {}, or none", fmt::join(known, ", ")));
    if (std::ranges::find(chosen, name) != chosen.end())
      throw UserError(status_usage, fmt::format("{} {}: {} is given twice", option, typed, name), "name each once");
    chosen.push_back(name);
  }
  return chosen;
}

finding::Setting function_option(const char* help) {
  return {.key = "function",
          .option = "-f,--function",
          .group = "Functions",
          .form = Form::list,
          .value = "NAME",
          .help = help};
}
finding::Setting strategy_option(const char* usual) {
  return {.key = "strategy",
          .option = "--strategy",
          .group = "Search",
          .form = Form::words,
          .value = "LIST",
          .usual = usual,
          .help = "strategies that hunt, or none"};
}
finding::Setting budget_option(const char* key, const char* usual, const char* help) {
  return {.key = key,
          .option = key == std::string_view("time") ? "--time" : "--budget",
          .group = "Search",
          .form = Form::duration,
          .value = "TIME",
          .usual = usual,
          .help = help};
}
finding::Setting evaluations_option(const char* usual, const char* help) {
  return {.key = "evals",
          .option = "--evals",
          .group = "Search",
          .form = Form::number,
          .value = "N",
          .usual = usual,
          .help = help};
}
finding::Setting seed_option() {
  return {.key = "seed",
          .option = "--seed",
          .group = "Search",
          .form = Form::number,
          .value = "N",
          .usual = "1",
          .help = "of the random numbers"};
}
finding::Setting jobs_option(const char* help) {
  return {.key = "jobs",
          .option = "-j,--jobs",
          .group = "Search",
          .form = Form::number,
          .value = "N",
          .otherwise = "1, so that times compare",
          .help = help};
}
finding::Setting report_option() {
  return {.key = "report",
          .option = "-o",
          .group = "Output",
          .form = Form::list,
          .value = "FILE",
          .help = "a report: .json, .csv, or - for JSON on standard output"};
}
finding::Setting quiet_option() {
  return {.key = "quiet",
          .option = "-q,--quiet",
          .group = "Output",
          .form = Form::flag,
          .help = "no progress on standard error"};
}

namespace {

int bench(const cli::CommandLine& line) {
  const auto word = suite_word(line.words);
  const Suite* suite = word == line.words.end() ? nullptr : find_suite(*word);
  if (!suite) {
    const finding::Said said = parse({.name = "faultline bench",
                                      .description = "Runs an evaluation suite.",
                                      .examples = examples,
                                      .operand = "SUITE",
                                      .operand_help = "gsl, gsl-exceptions, fpgen, fpse, bounds, fpcore or smt"},
                                     line);
    const std::string& name = said.value(cli::operands);
    throw UserError(status_usage, name.empty() ? "no suite given" : fmt::format("there is no suite '{}'", name),
                    "faultline bench gsl");
  }
  cli::CommandLine rest = line;
  rest.words.erase(rest.words.begin() + (word - line.words.begin()));
  return suite->run(rest);
}

} // namespace

int run(int argc, char** argv) {
  std::vector<std::string> typed(argv + std::min(argc, 1), argv + argc);
  typed.insert(typed.begin(), "bench"); // as in `faultline bench`
  return cli::guarded([&] { return bench(cli::line_of(std::move(typed))); });
}

} // namespace faultline::suite
