// The rows of the settings of a function: each reads its field of Settings from text, and writes it.
#include "finding/settings/table.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "numeric/decimal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::finding {

using frontend::status_usage;
using frontend::UserError;

namespace {

using Values = std::vector<std::string>;
using numeric::shortest_decimal;

constexpr const char* code = "Code under test";
constexpr const char* inputs = "Inputs";
constexpr const char* search = "Search";
constexpr const char* checks = "Checks for precision loss and cancellation (--strategy fpgen)";
constexpr const char* counts = "What counts";
constexpr const char* exceptions = "Exceptions";
constexpr uint32_t with_sources = command::hunt | command::explain | command::list | command::cover;
constexpr uint32_t judging = command::hunt | command::explain;
constexpr uint32_t exploring = command::hunt | command::cover;

// A set that grows by one entry a value; a second entry of a name is a slip.
template <class Map, class Read>
void fill(Map& map, const Values& values, const char* option, Read read) {
  map.clear();
  for (const std::string& text : values) {
    const auto [name, value] = read(text);
    if (!map.emplace(name, value).second)
      throw UserError(status_usage, fmt::format("{} {}: {} is given twice", option, text, name), "name each once");
  }
}

// name=VALUE of each entry; for all inputs, VALUE alone.
template <class Map, class Write>
Values written(const Map& map, Write write) {
  Values values;
  for (const auto& [name, value] : map)
    values.push_back(name == "*" ? write(value) : fmt::format("{}={}", name, write(value)));
  return values;
}

// One value, where it is not the default.
Values unless(bool usual, const std::string& text) { return usual ? Values{} : Values{text}; }

template <class T>
Values if_given(const std::optional<T>& value) {
  return value ? Values{fmt::format("{}", *value)} : Values{};
}

// What counts, in the user's own words: worth going on for.
double goal(Settings& settings, const char* option, const Values& values) {
  settings.goes_on = true;
  return positive(option, values.back());
}

bool flag(const Values& values) { return values.back() == "true"; }
Values flag(bool on) { return unless(!on, "true"); }

std::string text_of(const Wanted& wanted) {
  Values kinds;
  for (const auto& [kind, on] : {std::pair{"error", wanted.error},
                                 {"exceptions", wanted.exceptions},
                                 {"crashes", wanted.crashes},
                                 {"branches", wanted.branches},
                                 {"bound", wanted.bound}})
    if (on)
      kinds.emplace_back(kind);
  return fmt::format("{}", fmt::join(kinds, ","));
}

const Settings usual;

// clang-format off
constexpr Setting settings_of_the_code[] = {
  {.key = "size", .option = "--size", .group = code, .form = Form::by_name, .value = "A=32",
   .help = "the size of an array; A=4x4 for a matrix; 32 for all arrays",
   .more = "A Fortran array of assumed shape, A(:,:), needs one number for each dimension; one for all arrays is that of "
           "each dimension.", .commands = with_sources,
   .in_file = InFile::anywhere, .example = "size = { A = [4, 4] }", .names = Names::parameters, .between = 'x',
   .for_all = true, .for_every_array = true,
   .read = [](const Values& v, Settings& s) { fill(s.sizes, v, "--size", size_from); },
   .write = [](const Settings& s) {
     return written(s.sizes, [](const auto& extents) { return fmt::format("{}", fmt::join(extents, "x")); });
   }},
  {.key = "alias", .option = "--alias", .group = code, .form = Form::by_name, .value = "y=x",
   .help = "the pointer y points to the memory of x", .commands = with_sources,
   .in_file = InFile::anywhere, .example = "alias = { y = \"x\" }", .names = Names::parameters,
   .read = [](const Values& v, Settings& s) { fill(s.aliases, v, "--alias", alias_from); },
   .write = [](const Settings& s) { return written(s.aliases, [](const std::string& of) { return of; }); }},
  {.key = "skip", .group = code, .form = Form::flag,
   .help = "not hunted in, unless -f names it", .in_file = InFile::anywhere, .example = "skip = true",
   .recorded = false,
   .read = [](const Values& v, Settings& s) { s.skip = flag(v); },
   .write = [](const Settings& s) { return flag(s.skip); }},
  {.key = "range", .option = "--range", .group = inputs, .form = Form::by_name, .value = "x=LO:HI",
   .otherwise = "all finite floats, small integers",
   .help = "where to search; LO:HI for all floats",
   .more = "Integers are searched from -4 to 20, or from -400 to 400 if the function has no other input; unsigned ones "
           "from 0, bytes from 0 to 1. One that is only compared with constants, switched on or masked has the values "
           "that the code tells apart. An integer that measures an array has the array's size.", .commands = exploring,
   .in_file = InFile::anywhere, .example = "range = { x = \"0:1\" }, range = [0, 1]", .names = Names::inputs,
   .between = ':', .for_all = true,
   .read = [](const Values& v, Settings& s) { fill(s.ranges, v, "--range", range_from); },
   .write = [](const Settings& s) {
     return written(s.ranges, [](const Range& r) {
       return fmt::format("{}:{}", shortest_decimal(r.low), shortest_decimal(r.high));
     });
   }},
  {.key = "format", .option = "--format", .group = inputs, .form = Form::by_name, .value = "x=binary32",
   .help = "only values of this format; binary32 for all", .commands = exploring,
   .in_file = InFile::anywhere, .example = "format = \"binary32\"", .names = Names::inputs, .for_all = true,
   .read = [](const Values& v, Settings& s) { fill(s.formats, v, "--format", format_from); },
   .write = [](const Settings& s) {
     return written(s.formats, [](numeric::Format f) { return std::string(numeric::info(f).name); });
   }},
  {.key = "hold", .option = "--hold", .group = inputs, .form = Form::by_name, .value = "n=4",
   .help = "fix an input", .commands = command::hunt | command::explain | command::cover,
   .in_file = InFile::anywhere, .example = "hold = { n = 4 }", .names = Names::inputs,
   .read = [](const Values& v, Settings& s) { fill(s.held, v, "--hold", held_from); },
   .write = [](const Settings& s) {
     return written(s.held, [](long double value) { return shortest_decimal(value); });
   }},
};

constexpr Setting settings_of_the_search[] = {
  {.key = "budget", .option = "--budget", .group = search, .form = Form::duration, .value = "TIME",
   .usual = "10s", .help = "for each function: 10s, 500ms, 2m (cover's default: 60s)", .commands = exploring,
   .in_file = InFile::anywhere, .example = "budget = \"500ms\"", .alternative = "evals",
   .read = [](const Values& v, Settings& s) { s.budget_seconds = duration("--budget", v.back()); },
   .write = [](const Settings& s) {
     return unless(s.budget_seconds == usual.budget_seconds, shortest_decimal(s.budget_seconds) + "s");
   }},
  {.key = "evals", .option = "--evals", .group = search, .form = Form::number, .value = "N",
   .unit = "evaluations", .help = "evaluations of each function at most",
   .more = "They take the place of the time: a slower machine finds the same then.", .commands = exploring,
   .in_file = InFile::anywhere, .example = "evals = 100000",
   .read = [](const Values& v, Settings& s) { s.evaluations = positive_whole("--evals", v.back()); },
   .write = [](const Settings& s) { return if_given(s.evaluations); }},
  {.key = "seed", .option = "--seed", .group = search, .form = Form::number, .value = "N", .usual = "1",
   .help = "of the random numbers", .commands = exploring | command::solve,
   .in_file = InFile::anywhere, .example = "seed = 7",
   .read = [](const Values& v, Settings& s) { s.seed = whole("--seed", v.back()); },
   .write = [](const Settings& s) { return unless(s.seed == usual.seed, fmt::format("{}", s.seed)); }},
  {.key = "for", .option = "--for", .group = search, .form = Form::words, .value = "KINDS",
   .otherwise = "all of them", .choices = "error,exceptions,crashes,branches,bound",
   .help = "comma list: error, exceptions, crashes, branches, bound",
   .commands = command::hunt, .in_file = InFile::anywhere, .example = "for = [\"error\", \"crashes\"]",
   .read = [](const Values& v, Settings& s) { s.wanted = wanted_from(v.back()); },
   .write = [](const Settings& s) { return unless(s.wanted == usual.wanted, text_of(s.wanted)); }},
  {.key = "strategy", .option = "--strategy", .group = search, .form = Form::word, .value = "NAME",
   .usual = "auto", .help = "how to search",
   .more = "The strategies are auto, bracket, random, ga, lsga, s3fp, demc, atomu, fpgen, ariadne and paths.", .commands = command::hunt,
   .in_file = InFile::anywhere, .example = "strategy = \"bracket\"",
   .read = [](const Values& v, Settings& s) { s.strategy = v.back(); },
   .write = [](const Settings& s) { return unless(s.strategy == usual.strategy, s.strategy); }},
  {.key = "scope", .option = "--scope", .group = search, .form = Form::word, .value = "NAME", .usual = "all",
   .help = "where to search: everyday, or all, everyday inputs first",
   .more = "An input is everyday if each of its floats is 0 or has a magnitude of 1e-9 to 1e9 (binary32: 1e-6 to 1e6), "
           "within the ranges that are given; a range that has nothing of that counts as everyday itself.",
   .commands = command::hunt, .in_file = InFile::anywhere, .example = "scope = \"everyday\"",
   .read = [](const Values& v, Settings& s) { s.scope = scope_from(v.back()); },
   .write = [](const Settings& s) { return unless(s.scope == usual.scope, "everyday"); }},
  {.key = "site", .option = "--site", .group = checks, .form = Form::list, .value = "FILE:LINE",
   .otherwise = "those that update an accumulator", .help = "check the additions in this line",
   .commands = command::hunt, // lines are the program's: the command line's business
   .read = [](const Values& v, Settings& s) {
     s.lines.clear();
     for (const std::string& text : v)
       s.lines.push_back(checked_line_from(text));
   },
   .write = [](const Settings& s) {
     Values lines;
     for (const CheckedLine& at : s.lines)
       lines.push_back(fmt::format("{}:{}", at.file, at.line));
     return lines;
   }},
  {.key = "sampling", .option = "--sampling", .group = checks, .form = Form::word, .value = "NAME",
   .usual = "uniform", .choices = "uniform,log", .help = "of their executions: uniform or log", .commands = command::hunt,
   .in_file = InFile::anywhere, .example = "sampling = \"log\"",
   .read = [](const Values& v, Settings& s) { s.sampling = sampling_from(v.back()); },
   .write = [](const Settings& s) { return unless(s.sampling == usual.sampling, "log"); }},
  {.key = "sampling-start", .option = "--sampling-start", .group = checks, .form = Form::number, .value = "N",
   .usual = "1", .help = "the first execution to check", .commands = command::hunt,
   .in_file = InFile::anywhere, .example = "sampling-start = 10",
   .read = [](const Values& v, Settings& s) { s.sampling_start = positive_whole("--sampling-start", v.back()); },
   .write = [](const Settings& s) {
     return unless(s.sampling_start == usual.sampling_start, fmt::format("{}", s.sampling_start));
   }},
  {.key = "sampling-step", .option = "--sampling-step", .group = checks, .form = Form::number, .value = "N",
   .otherwise = "as many as leave about 64 to check", .unit = "executions",
   .help = "from one execution to the next", .commands = command::hunt,
   .in_file = InFile::anywhere, .example = "sampling-step = 100",
   .read = [](const Values& v, Settings& s) { s.sampling_step = positive_whole("--sampling-step", v.back()); },
   .write = [](const Settings& s) { return if_given(s.sampling_step); }},
  {.key = "loss-bits", .option = "--loss-bits", .group = checks, .form = Form::number, .value = "N",
   .otherwise = "32 for doubles", .unit = "bits",
   .help = "precision loss: how far the exponents of the operands differ", .commands = command::hunt,
   .in_file = InFile::anywhere, .example = "loss-bits = 20",
   .read = [](const Values& v, Settings& s) { s.loss_bits = exponent_bits("--loss-bits", v.back()); },
   .write = [](const Settings& s) { return if_given(s.loss_bits); }},
  {.key = "cancel-bits", .option = "--cancel-bits", .group = checks, .form = Form::number, .value = "N",
   .otherwise = "40 for doubles", .unit = "bits",
   .help = "cancellation: how many leading bits are lost", .commands = command::hunt,
   .in_file = InFile::anywhere, .example = "cancel-bits = 20",
   .read = [](const Values& v, Settings& s) { s.cancellation_bits = exponent_bits("--cancel-bits", v.back()); },
   .write = [](const Settings& s) { return if_given(s.cancellation_bits); }},
};

constexpr Setting settings_of_the_judge[] = {
  {.key = "output", .option = "--output", .group = counts, .form = Form::list, .value = "NAME",
   .otherwise = "all floats", .help = "judge this output", .commands = judging,
   .in_file = InFile::anywhere, .example = "output = [\"result.val\"]", .names = Names::outputs,
   .read = [](const Values& v, Settings& s) { s.outputs = v; },
   .write = [](const Settings& s) { return s.outputs; }},
  {.key = "bound", .option = "--bound", .group = counts, .form = Form::list, .value = "NAME",
   .otherwise = "fields named err", .help = "this output claims to bound the error", .commands = judging,
   .in_file = InFile::anywhere, .example = "bound = \"result.err\"", .names = Names::output_cells,
   .read = [](const Values& v, Settings& s) { s.bounds = v; },
   .write = [](const Settings& s) { return s.bounds; }},
  {.key = "bound-factor", .option = "--bound-factor", .group = counts, .form = Form::number, .value = "N",
   .usual = "10", .help = "an error N times the claimed bound violates it", .commands = judging,
   .in_file = InFile::anywhere, .example = "bound-factor = 2",
   .read = [](const Values& v, Settings& s) { s.bound_factor = positive("--bound-factor", v.back()); },
   .write = [](const Settings& s) {
     return unless(s.bound_factor == usual.bound_factor, shortest_decimal(s.bound_factor));
   }},
  {.key = "threshold", .option = "--threshold", .group = counts, .form = Form::number, .value = "ERROR",
   .otherwise = "1e-3; at everyday inputs half of the digits, if that is avoidable", .help = "relative error that counts",
   .commands = judging,
   .in_file = InFile::anywhere, .example = "threshold = 1e-6", .alternative = "ulps",
   .read = [](const Values& v, Settings& s) { s.threshold = goal(s, "--threshold", v); },
   .write = [](const Settings& s) { return s.threshold ? Values{shortest_decimal(*s.threshold)} : Values{}; }},
  {.key = "ulps", .option = "--ulps", .group = counts, .form = Form::number, .value = "N", .unit = "ulps",
   .help = "error in ulps that counts, instead of the relative error", .commands = judging,
   .in_file = InFile::anywhere, .example = "ulps = 4",
   .read = [](const Values& v, Settings& s) { s.ulps = goal(s, "--ulps", v); },
   .write = [](const Settings& s) { return s.ulps ? Values{shortest_decimal(*s.ulps)} : Values{}; }},
  {.key = "floor", .option = "--floor", .group = counts, .form = Form::number, .value = "X",
   .otherwise = "0",
   .help = "measure errors of results smaller than X against X, as FPGen does with 1.18e-38", .commands = judging,
   .in_file = InFile::anywhere, .example = "floor = 1e-30",
   .read = [](const Values& v, Settings& s) { s.floor = positive("--floor", v.back()); },
   .write = [](const Settings& s) { return unless(s.floor == usual.floor, shortest_decimal(s.floor)); }},
  {.key = "nonzero", .option = "--nonzero", .group = counts, .form = Form::flag,
   .help = "only inputs whose exact result is not below 1.18e-38, or the floor", .commands = judging,
   .in_file = InFile::anywhere, .example = "nonzero = true",
   .read = [](const Values& v, Settings& s) { s.nonzero = flag(v); },
   .write = [](const Settings& s) { return flag(s.nonzero); }},
  {.key = "oracle", .option = "--oracle", .group = counts, .form = Form::word, .value = "NAME",
   .usual = "lifted", .choices = "lifted,replay,reference,none", .help = "lifted, replay, reference or none", .commands = judging,
   .in_file = InFile::anywhere, .example = "oracle = \"replay\"", .alternative = "reference",
   .read = [](const Values& v, Settings& s) { s.oracle = oracle_from(v.back()); },
   .write = [](const Settings& s) {
     return unless(s.oracle == usual.oracle || s.oracle == OracleName::reference, std::string(text(s.oracle)));
   }},
  {.key = "reference", .option = "--reference", .group = counts, .form = Form::path, .value = "FILE:FUNCTION",
   .help = "judge by this function", .commands = judging,
   .in_file = InFile::anywhere, .example = "reference = \"exact.c:foo\"",
   .read = [](const Values& v, Settings& s) {
     s.oracle = OracleName::reference;
     std::tie(s.reference_file, s.reference_function) = reference_from(v.back());
   },
   .write = [](const Settings& s) {
     return unless(s.oracle != OracleName::reference,
                   fmt::format("{}:{}", s.reference_file, s.reference_function));
   }},
  {.key = "status", .option = "--status", .group = exceptions, .form = Form::word, .value = "NAME=0",
   .help = "this output says whether the call succeeded, and 0 that it did (return=0, info=0)",
   .commands = judging, .in_file = InFile::anywhere, .example = "status = \"return=0\"",
   .read = [](const Values& v, Settings& s) { s.status = status_from(v.back()); },
   .write = [](const Settings& s) {
     return s.status ? Values{fmt::format("{}={}", s.status->output, shortest_decimal(s.status->success))}
                     : Values{};
   }},
  {.key = "reject", .option = "--reject", .group = exceptions, .form = Form::list, .value = "NAME",
   .usual = "auto", .help = "a call of this handler means that the input was refused",
   .more = "Those of GSL, Cephes, LAPACK, SLATEC and R are known, unless none is given (docs/exceptions.md).",
   .commands = judging, .in_file = InFile::anywhere, .example = "reject = [\"fail\"]",
   .read = [](const Values& v, Settings& s) { std::erase(s.rejects = v, "auto"); },
   .write = [](const Settings& s) { return s.rejects; }},
  {.key = "all", .option = "--all", .group = exceptions, .form = Form::flag,
   .help = "show harmless underflows, suppressed and known findings too", .commands = command::hunt,
   .in_file = InFile::anywhere, .example = "all = true",
   .read = [](const Values& v, Settings& s) { s.all = flag(v); },
   .write = [](const Settings& s) { return flag(s.all); }},
  {.key = "past-exceptions", .option = "--past-exceptions", .group = exceptions, .form = Form::flag,
   .otherwise = "a path ends there", .help = "ariadne explores paths beyond an infinity or a NaN",
   .commands = command::hunt, .in_file = InFile::anywhere, .example = "past-exceptions = true",
   .read = [](const Values& v, Settings& s) { s.past_exceptions = flag(v); },
   .write = [](const Settings& s) { return flag(s.past_exceptions); }},
};
// clang-format on

} // namespace

std::vector<Setting> function_settings() {
  std::vector<Setting> rows;
  for (const std::span<const Setting> part :
       {std::span<const Setting>(settings_of_the_code), std::span<const Setting>(settings_of_the_search),
        std::span<const Setting>(settings_of_the_judge)})
    rows.insert(rows.end(), part.begin(), part.end());
  return rows;
}

} // namespace faultline::finding
