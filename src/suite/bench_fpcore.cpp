#include "cli/options.h"
#include "cli/progress.h"
#include "exec/native_program.h"
#include "finding/json/finding_json.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "frontend/fpcore/operators.h"
#include "hunt/cover.h"
#include "hunt/targets.h"
#include "numeric/decimal.h"
#include "numeric/random.h"
#include "report/style.h"
#include "suite/bench.h"
#include "suite/subject.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace faultline::suite {

using frontend::Parameter;
using frontend::UserError;
using numeric::Format;

namespace {

// Checks that the function written by `faultline export` is the original one. It is read back, both are compiled as in
// a hunt, and run natively in the sandbox on the same inputs. Their results must have the same bits. (All NaNs are
// equal: FPCore has only one.)
struct RoundTrip {
  std::string file, function;
  int inputs = 0, same = 0;
  std::string obstacle = {}; // why it was not exported or not run; empty: it ran

  bool is_good() const { return obstacle.empty() && inputs > 0 && same == inputs; }
};

struct RoundTripOptions {
  std::vector<std::string> files;     // FPCore, C, ...
  std::vector<std::string> functions; // empty: all suitable ones
  int inputs = 1000;                  // of each function
};

constexpr const char* read_back = "_read_back";
constexpr double most_seconds = 60; // for all inputs of a function: a loop may have many iterations

// Half of the inputs are uniform over the range, half uniform in the exponent, with small ones and both zeros.
long double random_input(numeric::Rng& random, long double low, long double high) {
  const long double place = random.uniform();
  if (random.below(2) == 0)
    return low + place * (high - low);
  const long double most = std::max(std::fabs(low), std::fabs(high));
  const long double value = std::ldexp(most, -int(random.below(60))) * (random.below(2) == 0 ? place : -place);
  return std::clamp(value, low, high);
}

std::string literal(long double value, Format format) {
  return frontend::fpcore::c_literal(numeric::nearest(value, format), format);
}

// Returns a program that calls both functions and counts equal results.
std::string main_text(const campaign::Exported& exported, int inputs) {
  std::vector<std::string> types, calls, back_types, back_calls;
  std::string arrays;
  numeric::Rng random(1);
  for (const Parameter& parameter : exported.target.parameters) {
    const bool by_reference = parameter.passing == frontend::Passing::pointer; // of the original only
    if (!parameter.type.floating) {
      const std::string type = fmt::format("int{}_t", parameter.type.bits);
      types.push_back(type + (by_reference ? " *" : ""));
      calls.push_back(fmt::format("{}({}){{{}}}", by_reference ? "&" : "", type,
                                  int64_t(exported.settings.held.at(parameter.name))));
      continue;
    }
    auto range = exported.settings.ranges.find(parameter.name);
    if (range == exported.settings.ranges.end())
      range = exported.settings.ranges.find("*");
    const bool known = range != exported.settings.ranges.end();
    const Format format = parameter.type.format;
    const std::string array = fmt::format("input_{}", back_types.size());
    std::vector<std::string> values;
    for (int i = 0; i < inputs; ++i)
      values.push_back(
          literal(random_input(random, known ? range->second.low : -1000, known ? range->second.high : 1000), format));
    arrays +=
        fmt::format("static const {} {}[] = {{{}}};\n", numeric::info(format).c_type, array, fmt::join(values, ","));
    back_types.emplace_back(numeric::info(format).c_type);
    types.push_back(by_reference ? fmt::format("const {} *", numeric::info(format).c_type)
                                 : numeric::info(format).c_type);
    back_calls.push_back(array + "[i]");
    calls.push_back((by_reference ? "&" : "") + array + "[i]");
  }
  const Format result = exported.target.outputs.front().type.format;
  const std::string& symbol = exported.target.symbol;
  const auto list = [](const std::vector<std::string>& parts) {
    return parts.empty() ? std::string("void") : fmt::format("{}", fmt::join(parts, ", "));
  };
  return fmt::format(R"(#include <stdint.h>
#include <stdio.h>
#include <string.h>
{0} original({1}) __asm__("{2}");
{0} read_back({3}) __asm__("{2}{4}");
{5}int main(void) {{
  int same = 0;
  for (int i = 0; i < {6}; ++i) {{
    {0} a = original({7}), b = read_back({8});
    same += memcmp(&a, &b, {9}) == 0 || (a != a && b != b);
  }}
  printf("same %d\n", same);
  return 0;
}}
)",
                     numeric::info(result).c_type, list(types), symbol, list(back_types), read_back, arrays, inputs,
                     fmt::join(calls, ", "), fmt::join(back_calls, ", "), numeric::info(result).bytes);
}

// Renames the function in the text, so that one program can contain both.
std::string renamed(const std::string& text, const std::string& symbol) {
  constexpr std::string_view before = "(FPCore ";
  const size_t end = text.find(" (", before.size());
  return fmt::format("{}{}{}{}", before, symbol, read_back, text.substr(end));
}

campaign::Options options_for(const std::string& file, const std::string& function) {
  campaign::Options options;
  options.sources.files = {file};
  options.sources.preconditions = frontend::fpcore::Preconditions::left_out;
  options.functions = {function};
  options.without_configuration = true;
  return options;
}

void run_both(const campaign::Exported& exported, const campaign::Options& options, RoundTrip& trip) {
  const frontend::TemporaryFolder folder;
  const std::string back = folder.path() + "/back.fpcore";
  std::ofstream(back) << renamed(exported.text, exported.target.symbol);
  frontend::Sources sources = options.sources;
  sources.files.push_back(back);
  const std::string bitcode =
      frontend::Program::load(sources).bitcode_of({exported.target.symbol, exported.target.symbol + read_back});
  const exec::NativeProgram native(bitcode, main_text(exported, trip.inputs), exec::MainProgram::c);
  if (!native.problem().empty()) {
    trip.obstacle = native.problem();
    return;
  }
  const base::ProgramEnd end = native.run({}, most_seconds);
  std::istringstream said(end.output);
  std::string word;
  if (!end.succeeded() || !(said >> word >> trip.same) || word != "same")
    trip.obstacle = end.timed_out ? "it takes too long" : "it crashes";
}

// Throws frontend::UserError if a file cannot be read.
std::vector<RoundTrip> round_trips(const RoundTripOptions& options,
                                   const std::function<void(const std::string&)>& on_begin,
                                   const std::atomic<bool>& stop) {
  std::vector<RoundTrip> all;
  for (const std::string& file : options.files) {
    campaign::Options every = options_for(file, "");
    every.functions = options.functions;
    frontend::Program program = campaign::load_program(every);
    for (const frontend::Target& target : campaign::targets_of(program, every)) {
      if (stop || !target.suitable())
        continue;
      RoundTrip trip{file, target.function, options.inputs};
      on_begin(trip.function);
      try {
        const campaign::Options own = options_for(file, frontend::before_parameters(target.function));
        run_both(campaign::export_fpcore(own), own, trip);
      } catch (const UserError& problem) {
        trip.obstacle = problem.what();
      }
      all.push_back(std::move(trip));
    }
  }
  return all;
}

constexpr const char* examples =
    R"(Each function is written as FPCore, as faultline export does, and read back; both are run on the same inputs, and their
results compared bit for bit. Without a SOURCE: benchmarks/fpcore and benchmarks/bounds/others.fpcore.

Examples:
  faultline bench fpcore                 all of them, 1,000 inputs each
  faultline bench fpcore foo.c -f foo    a function of yours
  faultline bench fpcore -o trips.csv    a line for each function

Exit status: 1 if a result differs.)";

std::string table(const std::vector<RoundTrip>& trips) {
  std::vector<report::Row> rows;
  for (const RoundTrip& trip : trips)
    rows.push_back({trip.function, fmt::format("{}", trip.same), fmt::format("{}", trip.inputs), trip.obstacle});
  const auto good = std::ranges::count_if(trips, &RoundTrip::is_good);
  const auto refused = std::ranges::count_if(trips, [](const RoundTrip& trip) { return !trip.obstacle.empty(); });
  return report::table({{"function"}, {"same", report::Align::right}, {"inputs", report::Align::right}, {""}}, rows,
                       report::Style(false)) +
         fmt::format("\n{} functions: {} the same on all inputs, {} not written or not run, {} different.\n",
                     trips.size(), good, refused, ptrdiff_t(trips.size()) - good - refused);
}

std::string csv(const std::vector<RoundTrip>& trips) {
  std::string text = csv_line({"file", "function", "inputs", "same", "obstacle"});
  for (const RoundTrip& trip : trips)
    text += csv_line(
        {trip.file, trip.function, fmt::format("{}", trip.inputs), fmt::format("{}", trip.same), trip.obstacle});
  return text;
}

std::string json(const std::vector<RoundTrip>& trips) {
  finding::Json rows = finding::Json::array();
  for (const RoundTrip& trip : trips)
    rows.push_back({{"file", trip.file},
                    {"function", trip.function},
                    {"inputs", trip.inputs},
                    {"same", trip.same},
                    {"obstacle", trip.obstacle}});
  return finding::json_text({{"suite", "fpcore"}, {"functions", rows}}, 2) + "\n";
}

} // namespace

int bench_fpcore(const cli::CommandLine& line) {
  const finding::Said said =
      parse({.name = "faultline bench fpcore",
             .description = "Writes functions as FPCore, reads them back, and compares.",
             .examples = examples,
             .operand = "SOURCE",
             .operand_help = "files with functions: .fpcore, .c, ...",
             .many_operands = true,
             .options = {function_option("this function"), evaluations_option("1000", "inputs of each function"),
                         report_option(), quiet_option()}},
            line);
  cli::refuse_flags(line);
  RoundTripOptions options;
  options.files = said.values(cli::operands);
  if (options.files.empty())
    options.files = {source_folder("benchmarks/fpcore"), source_folder("benchmarks/bounds") + "/others.fpcore"};
  options.files = cli::source_files_of(options.files);
  options.functions = said.values("function");
  if (said.has("evals"))
    options.inputs = int(std::clamp(finding::positive("--evals", said.value("evals")), 1.0, 100000.0));
  const std::vector<BenchReport> reports = bench_reports(said.values("report"));
  const bool quiet = said.is_on("quiet");
  const cli::Interrupt interrupt;
  const std::vector<RoundTrip> trips = round_trips(
      options,
      [&](const std::string& name) {
        if (!quiet && isatty(STDERR_FILENO))
          fmt::print(stderr, "faultline: {}\n", name);
      },
      interrupt.flag());
  const int status =
      conclude(reports, {[&] { return table(trips); }, [&] { return csv(trips); }, [&] { return json(trips); }},
               interrupt.flag());
  const bool differs =
      std::ranges::any_of(trips, [](const RoundTrip& trip) { return trip.obstacle.empty() && !trip.is_good(); });
  return status == frontend::status_nothing && differs ? frontend::status_found : status;
}

} // namespace faultline::suite
