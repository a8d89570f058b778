#include "model/settings/table.h"

#include "base/error.h"
#include "model/assumption.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::model {

using base::status_usage;
using base::UserError;
using numeric::shortest_decimal;

namespace {

using Values = std::vector<std::string>;

constexpr const char* code = "Code under test";
constexpr const char* inputs = "Inputs";
constexpr const char* search = "Search";
constexpr const char* checks = "Checks for precision loss and cancellation (--strategy fpgen)";
constexpr const char* counts = "What counts";
constexpr const char* exceptions = "Exceptions";
constexpr const char* output = "Output";
constexpr const char* machines = "Many machines";
constexpr uint32_t runs_code = command::hunt | command::explain | command::cover | command::replay | command::report |
                               command::worker | command::campaign | command::bound | command::check |
                               command::vectors | command::fix;
constexpr uint32_t with_sources = command::hunt | command::explain | command::list | command::cover | command::harness |
                                  command::bound | command::export_fpcore | command::vectors | command::fix;
constexpr uint32_t judging = command::hunt | command::explain | command::fix;
constexpr uint32_t measuring = judging | command::bound;
constexpr uint32_t exploring = command::hunt | command::cover | command::fix;

// Reads a map with one entry per value. A second entry for the same name is an error.
template <class Map, class Read> void fill(Map& map, const Values& values, const char* option, Read read) {
  map.clear();
  for (const std::string& text : values) {
    const auto [name, value] = read(text);
    if (!map.emplace(name, value).second)
      throw UserError(status_usage, fmt::format("{} {}: {} is given twice", option, text, name), "name each once");
  }
}

// Writes name=VALUE for each entry; VALUE alone if it is for all inputs.
template <class Map, class Write> Values written(const Map& map, Write write) {
  Values values;
  for (const auto& [name, value] : map)
    values.push_back(name == "*" ? write(value) : fmt::format("{}={}", name, write(value)));
  return values;
}

// Writes one value unless it is the default.
Values unless(bool usual, const std::string& text) { return usual ? Values{} : Values{text}; }

template <class T> Values if_given(const std::optional<T>& value) {
  return value ? Values{fmt::format("{}", *value)} : Values{};
}

bool flag(const Values& values) { return values.back() == "true"; }
Values flag(bool on) { return unless(!on, "true"); }

std::string text_of(const WantedKinds& wanted) {
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
constexpr Setting settings[] = {
  {.key = "size", .option = "--size", .group = code, .form = Form::by_name, .value = "A=32",
   .help = "the size of an array; A=4x4 for a matrix; 32 for all arrays",
   .more = "A Fortran array of assumed shape, A(:,:), needs one number for each dimension; one for all arrays is that of "
           "each dimension.", .commands = with_sources,
   .in_file = InFile::anywhere, .example = "size = { A = [4, 4] }", .names = NameKind::parameters, .between = 'x',
   .for_all = true, .for_every_array = true,
   .read = [](const Values& v, Settings& s) { fill(s.sizes, v, "--size", size_from); },
   .write = [](const Settings& s) {
     return written(s.sizes, [](const auto& extents) { return fmt::format("{}", fmt::join(extents, "x")); });
   }},
  {.key = "alias", .option = "--alias", .group = code, .form = Form::by_name, .value = "y=x",
   .help = "the pointer y points to the memory of x", .commands = with_sources,
   .in_file = InFile::anywhere, .example = "alias = { y = \"x\" }", .names = NameKind::parameters,
   .read = [](const Values& v, Settings& s) { fill(s.aliases, v, "--alias", alias_from); },
   .write = [](const Settings& s) { return written(s.aliases, [](const std::string& of) { return of; }); }},
  {.key = "setup", .option = "--setup", .group = code, .form = Form::list, .value = "FUNCTION",
   .help = "makes a legal state for the struct that the target takes",
   .more = "It gets a pointer to the struct, numbers and arrays, or returns a new one. It is called before each call of every "
           "function that takes such a struct, and its numbers are inputs: FUNCTION.n. The fields of the struct are none.",
   .commands = with_sources, .in_file = InFile::anywhere, .example = "setup = [\"prjini\"]",
   .read = [](const Values& v, Settings& s) { s.setups = v; },
   .write = [](const Settings& s) { return s.setups; }},
  {.key = "skip", .group = code, .form = Form::flag,
   .help = "do not test it, unless -f names it", .in_file = InFile::anywhere, .example = "skip = true",
   .recorded = Recorded::never,
   .read = [](const Values& v, Settings& s) { s.skip = flag(v); },
   .write = [](const Settings& s) { return flag(s.skip); }},
  {.key = "range", .option = "--range", .group = inputs, .form = Form::by_name, .value = "x=LO:HI",
   .otherwise = "all finite floats, small integers",
   .help = "range to search; LO:HI for all floats",
   .more = "Integers are searched from -4 to 20, or from -400 to 400 if the function has no other input; unsigned ones "
           "from 0, bytes from 0 to 1. One that is only compared with constants, switched on or masked has the values "
           "that the code tells apart. An integer that measures an array has the array's size.", .commands = exploring | command::bound | command::export_fpcore,
   .in_file = InFile::anywhere, .example = "range = { x = \"0:1\" }, range = [0, 1]", .names = NameKind::inputs,
   .between = ':', .for_all = true,
   .read = [](const Values& v, Settings& s) { fill(s.ranges, v, "--range", range_from); },
   .write = [](const Settings& s) {
     return written(s.ranges, [](const Range& r) {
       return fmt::format("{}:{}", shortest_decimal(r.low), shortest_decimal(r.high));
     });
   }},
  {.key = "everyday", .option = "--everyday", .group = inputs, .form = Form::by_name, .value = "x=LO:HI",
   .otherwise = "0 and magnitudes of 1e-9 to 1e9; all integers",
   .help = "typical values of an input, searched first; --seen sets them from real runs",
   .more = "LO:HI:LEAST also sets the smallest magnitude other than 0. Without --range, the search covers these values and "
           "up to twice as far: up to 2 HI, down to half of LEAST, on the same side of 0.",
   .commands = command::hunt | command::fix, .in_file = InFile::anywhere, .example = "everyday = { x = [0.1, 20] }",
   .names = NameKind::inputs, .between = ':',
   .read = [](const Values& v, Settings& s) { fill(s.everyday, v, "--everyday", everyday_from); },
   .write = [](const Settings& s) {
     return written(s.everyday, [](const Everyday& e) {
       const std::string ends = fmt::format("{}:{}", shortest_decimal(e.low), shortest_decimal(e.high));
       return e.least > 0 ? fmt::format("{}:{}", ends, shortest_decimal(e.least)) : ends;
     });
   }},
  {.key = "format", .option = "--format", .group = inputs, .form = Form::by_name, .value = "x=binary32",
   .help = "only values of this format; binary32 for all", .commands = exploring | command::bound,
   .in_file = InFile::anywhere, .example = "format = \"binary32\"", .names = NameKind::inputs, .for_all = true,
   .read = [](const Values& v, Settings& s) { fill(s.formats, v, "--format", format_from); },
   .write = [](const Settings& s) {
     return written(s.formats, [](numeric::Format f) { return std::string(numeric::info(f).name); });
   }},
  {.key = "assume", .option = "--assume", .group = inputs, .form = Form::list, .value = "CONDITION",
   .otherwise = "from a comment before the function",
   .help = "legal inputs only: 'a < b', 'x[i] < x[i+1]', 'abs(lat) <= 90', 'sum(p) == 1'; repeatable",
   .more = "The search samples inside of the conditions, and reports no input outside of them. Terms are inputs, numbers, + - * / "
           "^, abs, sqrt, exp, log, sin, cos, tan, floor, ceil, hypot; of arrays sum, norm, min, max, length, dot. "
           "Conditions are comparisons, which may be chained (0 < a < b), and finite(x), integer(x), sorted(x), "
           "increasing(x), symmetric(A), orthogonal(A), rotation(A); 'and' joins them. A name in an index, x[i], stands for "
           "every element; the name of an array stands for each of its elements. Equations hold up to rounding. A "
           "function without these inputs ignores the condition.",
   .commands = command::hunt | command::fix, .in_file = InFile::anywhere, .example = "assume = [\"a < b\", \"sorted(x)\"]", .adds_up = true,
   .read = [](const Values& v, Settings& s) {
     for (const std::string& text : v)
       assumption_from(text); // throws if it is wrong
     s.assumptions = v;
   },
   .write = [](const Settings& s) { return s.assumptions; }},
  {.key = "hold", .option = "--hold", .group = inputs, .form = Form::by_name, .value = "n=4",
   .help = "fix an input", .commands = judging | command::cover | command::bound | command::export_fpcore,
   .in_file = InFile::anywhere, .example = "hold = { n = 4 }", .names = NameKind::inputs,
   .read = [](const Values& v, Settings& s) { fill(s.held, v, "--hold", held_from); },
   .write = [](const Settings& s) {
     return written(s.held, [](numeric::Value value) { return shortest_decimal(value); });
   }},
  {.key = "budget", .option = "--budget", .group = search, .form = Form::duration, .value = "TIME",
   .usual = "10s", .help = "for each function: 10s, 500ms, 2m (cover's default: 60s)", .commands = exploring,
   .in_file = InFile::anywhere, .example = "budget = \"500ms\"", .alternative = "evals",
   .read = [](const Values& v, Settings& s) { s.budget_seconds = duration("--budget", v.back()); },
   .write = [](const Settings& s) {
     return unless(s.budget_seconds == usual.budget_seconds, shortest_decimal(s.budget_seconds) + "s");
   }},
  {.key = "evals", .option = "--evals", .group = search, .form = Form::number, .value = "N",
   .unit = "evaluations", .help = "at most N evaluations per function",
   .more = "They take the place of the time: a slower machine finds the same then.", .commands = exploring,
   .in_file = InFile::anywhere, .example = "evals = 100000",
   .recorded = Recorded::in_reports,
   .read = [](const Values& v, Settings& s) { s.evaluations = positive_whole("--evals", v.back()); },
   .write = [](const Settings& s) { return if_given(s.evaluations); }},
  {.key = "seed", .option = "--seed", .group = search, .form = Form::number, .value = "N", .usual = "1",
   .help = "seed of the random numbers", .commands = exploring | command::bound | command::solve,
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
   .commands = command::hunt, .in_file = InFile::anywhere, .example = "strategy = \"bracket\"",
   .read = [](const Values& v, Settings& s) { s.strategy = v.back(); },
   .write = [](const Settings& s) { return unless(s.strategy == usual.strategy, s.strategy); }},
  {.key = "scope", .option = "--scope", .group = search, .form = Form::word, .value = "NAME", .usual = "all",
   .help = "inputs to search: everyday, or all (everyday inputs first)",
   .more = "An input is everyday if each of its floats is 0 or has a magnitude of 1e-9 to 1e9 (binary32: 1e-6 to 1e6), "
           "or lies in a range that --range gives. --scope everyday stays within the ranges.",
   .commands = command::hunt, .in_file = InFile::anywhere, .example = "scope = \"everyday\"",
   .read = [](const Values& v, Settings& s) { s.scope = scope_from(v.back()); },
   .write = [](const Settings& s) { return unless(s.scope == usual.scope, "everyday"); }},
  {.key = "single-pass", .option = "--single-pass", .group = search, .form = Form::flag,
   .otherwise = "the budget is used as long as nothing counts",
   .help = "end when the strategy is done: no further rounds", .commands = command::hunt, // of studies: command line only
   .read = [](const Values& v, Settings& s) { s.single_pass = flag(v); },
   .write = [](const Settings& s) { return flag(s.single_pass); }},
  {.key = "site", .option = "--site", .group = checks, .form = Form::list, .value = "FILE:LINE",
   .otherwise = "those that update an accumulator", .help = "check the additions in this line",
   .commands = command::hunt, // a line is one of the program, not of a function: command line only
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
  // Which results count.
  {.key = "output", .option = "--output", .group = counts, .form = Form::list, .value = "NAME",
   .otherwise = "all floats", .help = "judge this output", .commands = measuring,
   .in_file = InFile::anywhere, .example = "output = [\"result.val\"]", .names = NameKind::outputs,
   .read = [](const Values& v, Settings& s) { s.outputs = v; },
   .write = [](const Settings& s) { return s.outputs; }},
  {.key = "bound", .option = "--bound", .group = counts, .form = Form::list, .value = "NAME",
   .otherwise = "fields named err", .help = "this output claims to bound the error", .commands = judging,
   .in_file = InFile::anywhere, .example = "bound = \"result.err\"", .names = NameKind::output_cells,
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
   .otherwise = "1e-3; at everyday inputs also half of the digits, if avoidable", .help = "relative error that counts",
   .commands = measuring,
   .in_file = InFile::anywhere, .example = "threshold = 1e-6", .alternative = "ulps",
   .read = [](const Values& v, Settings& s) { s.threshold = positive("--threshold", v.back()); },
   .write = [](const Settings& s) { return s.threshold ? Values{shortest_decimal(*s.threshold)} : Values{}; }},
  {.key = "ulps", .option = "--ulps", .group = counts, .form = Form::number, .value = "N", .unit = "ulps",
   .help = "error in ulps that counts, instead of the relative error", .commands = measuring,
   .in_file = InFile::anywhere, .example = "ulps = 4", .alternative = "absolute",
   .read = [](const Values& v, Settings& s) { s.ulps = positive("--ulps", v.back()); },
   .write = [](const Settings& s) { return s.ulps ? Values{shortest_decimal(*s.ulps)} : Values{}; }},
  {.key = "absolute", .option = "--absolute", .group = counts, .form = Form::number, .value = "X",
   .help = "absolute error that counts, instead of the relative error", .commands = measuring,
   .in_file = InFile::anywhere, .example = "absolute = 1e-9", .alternative = "threshold",
   .read = [](const Values& v, Settings& s) { s.absolute = positive("--absolute", v.back()); },
   .write = [](const Settings& s) { return s.absolute ? Values{shortest_decimal(*s.absolute)} : Values{}; }},
  {.key = "norm", .option = "--norm", .group = counts, .form = Form::word, .value = "NAME",
   .otherwise = "inf", .choices = "inf,2,component",
   .help = "measure errors of arrays by the largest element, the length, or each element",
   .more = "An error in a norm is that of the whole array: the norm of what was computed minus what is right, against "
           "that of what is right.",
   .commands = judging, .in_file = InFile::anywhere, .example = "norm = \"2\"",
   .read = [](const Values& v, Settings& s) { s.norm = norm_from(v.back()); },
   .write = [](const Settings& s) { return s.norm ? Values{std::string(text(*s.norm))} : Values{}; }},
  {.key = "unordered", .option = "--unordered", .group = counts, .form = Form::list, .value = "NAME",
   .help = "the elements of this output have no order: eigenvalues, roots", .commands = judging,
   .in_file = InFile::anywhere, .example = "unordered = [\"w\"]", .names = NameKind::outputs,
   .read = [](const Values& v, Settings& s) { s.unordered = v; },
   .write = [](const Settings& s) { return s.unordered; }},
  {.key = "up-to-sign", .option = "--up-to-sign", .group = counts, .form = Form::list, .value = "NAME",
   .help = "the sign of this output is free: an eigenvector", .commands = judging,
   .in_file = InFile::anywhere, .example = "up-to-sign = [\"v\"]", .names = NameKind::outputs,
   .read = [](const Values& v, Settings& s) { s.up_to_sign = v; },
   .write = [](const Settings& s) { return s.up_to_sign; }},
  {.key = "floor", .option = "--floor", .group = counts, .form = Form::number, .value = "X",
   .otherwise = "0",
   .help = "measure errors of results smaller than X against X, as FPGen does with 1.18e-38", .commands = measuring,
   .in_file = InFile::anywhere, .example = "floor = 1e-30",
   .read = [](const Values& v, Settings& s) { s.floor = positive("--floor", v.back()); },
   .write = [](const Settings& s) { return unless(s.floor == usual.floor, shortest_decimal(s.floor)); }},
  {.key = "nonzero", .option = "--nonzero", .group = counts, .form = Form::flag,
   .help = "only inputs with an exact result of at least 1.18e-38, or the floor", .commands = judging,
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
  {.key = "means", .option = "--means", .group = counts, .form = Form::list, .value = "[F=]EXPRESSION",
   .otherwise = "from a comment before the function",
   .help = "the mathematics to judge by: 'besseli(v, x)'; auto for well-known functions",
   .more = "An expression over the inputs in real arithmetic. It reveals wrong formulas, constants and branches, "
           "too. F=EXPRESSION is for the function F, F.OUTPUT=EXPRESSION for one of its outputs, .OUTPUT=EXPRESSION for "
           "that output of every function. auto knows functions of GSL, Cephes, R, Boost.Math and SLATEC by name and "
           "signature; none removes a meaning that was set before (docs/meaning.md).",
   .commands = judging, .in_file = InFile::anywhere, .example = "means = \"sqrt(x + 1) - sqrt(x)\"", .adds_up = true,
   .read = [](const Values& v, Settings& s) { s.means = v; },
   .write = [](const Settings& s) { return s.means; }},
  {.key = "status", .option = "--status", .group = exceptions, .form = Form::word, .value = "NAME=0",
   .help = "output that reports success, and its value for success (return=0, info=0)",
   .commands = judging, .in_file = InFile::anywhere, .example = "status = \"return=0\"",
   .read = [](const Values& v, Settings& s) { s.status = status_from(v.back()); },
   .write = [](const Settings& s) {
     return s.status ? Values{fmt::format("{}={}", s.status->output, shortest_decimal(s.status->success))}
                     : Values{};
   }},
  {.key = "reject", .option = "--reject", .group = exceptions, .form = Form::list, .value = "NAME",
   .usual = "auto", .help = "handler that the code calls for wrong arguments",
   .more = "Those of GSL, Cephes, LAPACK, SLATEC and R are known, unless none is given (docs/exceptions.md).",
   .commands = judging, .in_file = InFile::anywhere, .example = "reject = [\"fail\"]",
   .read = [](const Values& v, Settings& s) { std::erase(s.rejects = v, "auto"); },
   .write = [](const Settings& s) { return s.rejects; }},
  {.key = "all", .option = "--all", .group = exceptions, .form = Form::flag,
   .help = "also show suppressed and known findings, and harmless exceptions", .commands = command::hunt,
   .in_file = InFile::anywhere, .example = "all = true",
   .read = [](const Values& v, Settings& s) { s.all = flag(v); },
   .write = [](const Settings& s) { return flag(s.all); }},
  {.key = "past-exceptions", .option = "--past-exceptions", .group = exceptions, .form = Form::flag,
   .otherwise = "a path ends there", .help = "ariadne explores paths beyond an infinity or a NaN",
   .commands = command::hunt, .in_file = InFile::anywhere, .example = "past-exceptions = true",
   .read = [](const Values& v, Settings& s) { s.past_exceptions = flag(v); },
   .write = [](const Settings& s) { return flag(s.past_exceptions); }},

  // Options that belong to a command as a whole.
  {.key = "function", .option = "-f,--function", .group = code, .form = Form::list, .value = "NAME",
   .otherwise = "all suitable ones", .help = "a function, or a pattern such as 'gsl_sf_*'",
   .more = "A C++ function can be named without its namespace, and the instances of a template without their arguments. "
           "Of the functions like a pattern only the suitable ones are taken.",
   .commands = with_sources},
  {.key = "database", .option = "-p", .group = code, .form = Form::path, .value = "PATH",
   .help = "compile_commands.json, or its folder; without a SOURCE, all its files",
   .more = "A file that it does not list is compiled with the flags of one that it does: of the same folder, or else of "
           "the nearest.",
   .commands = with_sources},
  {.key = "config", .option = "--config", .group = code, .form = Form::path, .value = "FILE",
   .otherwise = "the nearest faultline.toml upwards from the source", .help = "settings by function",
   .commands = with_sources},
  {.key = "no-config", .option = "--no-config", .group = code, .form = Form::flag, .help = "read no faultline.toml",
   .commands = with_sources},
  {.key = "trust-flags", .option = "--trust-flags", .group = code, .form = Form::flag,
   .help = "accept all compiler flags from files",
   .more = "Flags in saved findings, jobs, faultline.toml and compile_commands.json are data. Those that select the "
           "language, headers, macros, optimisation, the machine and the model of arithmetic are taken, those that "
           "cannot matter are dropped, and others, which could make the compiler load a plugin or write files, are "
           "refused by name. Flags after -- are yours, and taken as they are.",
   .commands = with_sources | command::replay | command::report | command::worker | command::campaign,
   .recorded = Recorded::in_reports},
  {.key = "compile-time", .option = "--compile-time", .group = code, .form = Form::duration, .value = "TIME",
   .usual = "2m", .help = "the longest that a compiler may take for a file, and a worker to prepare a function",
   .commands = with_sources | command::replay | command::report | command::check | command::worker | command::campaign,
   .recorded = Recorded::never},
  {.key = "flags", .group = code, .form = Form::list, .help = "flags for the compiler; those after -- come last",
   .in_file = InFile::at_the_top, .example = "flags = [\"-DN=8\"]"},
  {.key = "allow-read", .option = "--allow-read", .group = code, .form = Form::list, .value = "DIR",
   .otherwise = "none", .help = "the code under test may read the files in this folder",
   .more = "When it is compiled, #include, #embed, INCLUDE and assembler directives read files of the project, of the folders "
           "of compiler flags, and of the system; with this option also those in DIR. Reports show the lines of such files. "
           "When it runs, it opens the files in DIR, the locale and time zone data of the C library, and no others, and "
           "writes none. Running needs a kernel with Landlock.", .commands = runs_code | with_sources,
   .recorded = Recorded::in_reports},
  {.key = "unsafe-no-sandbox", .option = "--unsafe-no-sandbox", .group = code, .form = Form::flag,
   .help = "run the code under test with all your rights",
   .more = "Where the system has no filter of system calls, no code is run without this option. It is not taken from saved "
           "commands.", .commands = runs_code,
   .recorded = Recorded::in_reports},
  {.key = "unsuitable", .option = "--all", .group = output, .form = Form::flag,
   .help = "also list functions that cannot be tested, with reasons", .commands = command::list},
  {.key = "at", .option = "--at", .group = inputs, .form = Form::list, .value = "x=VALUE",
   .help = "the input; or a comma list; A=1,2,3 for an array", .commands = command::explain | command::fix},
  {.key = "jobs", .option = "-j,--jobs", .group = search, .form = Form::number, .value = "N",
   .otherwise = "one per processor", .help = "functions to test in parallel",
   .more = "The findings do not depend on it.", .commands = command::hunt | command::fix,
   .recorded = Recorded::never},
  {.key = "jobs", .option = "-j,--jobs", .group = search, .form = Form::number, .value = "N",
   .otherwise = "one per processor; with --slurm 1",
   .help = "run: functions to test in parallel; with --slurm processors of a task, with --launcher commands at a time",
   .more = "With --evals the findings do not depend on it.", .commands = command::campaign},
  {.key = "jobs", .option = "-j,--jobs", .group = search, .form = Form::number, .value = "N", .usual = "1",
   .help = "functions to test in parallel", .commands = command::worker},
  {.key = "jobs", .option = "-j,--jobs", .group = search, .form = Form::number, .value = "N",
   .otherwise = "one per processor", .help = "threads at the same time", .commands = command::check},
  {.key = "corpus", .option = "--corpus", .group = search, .form = Form::path, .value = "DIR",
   .help = "folder of findings; they are tried first the next time",
   .more = "See FINDINGS THAT ARE KNOWN.", .commands = command::hunt,
   .in_file = InFile::at_the_top, .example = "corpus = \"found\"",
   .recorded = Recorded::in_reports},
  {.key = "seen", .option = "--seen", .group = inputs, .form = Form::path, .value = "FILE",
   .help = "ranges and first inputs from a recording of faultline record",
   .more = "Of each function that was called, what was seen of an input is everyday (see --everyday), and some of the "
           "calls are tried first. What --range, --hold and --everyday say has more weight. Relations that held in all "
           "recorded calls are assumed. Functions that were not called are hunted in as usual.", .commands = command::hunt,
   .in_file = InFile::at_the_top, .example = "seen = \"seen.json\""},
  {.key = "near", .option = "--near", .group = inputs, .form = Form::path, .value = "RUN",
   .help = "only functions that a recorded run has called, around its calls",
   .more = "RUN is a recording, as for --seen. Inputs at distances from 1e-15 to 0.1 around each recorded call are tried "
           "first, then what --seen searches.", .commands = command::hunt},
  {.key = "loop-bound", .option = "--loop-bound", .group = search, .form = Form::number, .value = "N", .usual = "8",
   .help = "how often a decision is reversed on one path", .commands = command::cover},
  {.key = "paths", .option = "--paths", .group = search, .form = Form::flag, .help = "go on until all paths are known",
   .commands = command::cover},
  {.key = "solver", .option = "--solver", .group = search, .form = Form::word, .value = "NAME",
   .otherwise = "the first of the list below", .help = "who solves it", .commands = command::solve},
  {.key = "extent", .option = "--extent", .group = output, .form = Form::flag,
   .help = "the least and the greatest value of the floats in get-value, over all models", .commands = command::solve},
  {.key = "no-ulp-max", .option = "--no-ulp-max", .group = search, .form = Form::flag,
   .help = "interval propagates without filtering by ULP-max, to see what that saves", .commands = command::solve},
  {.key = "time", .option = "--time", .group = search, .form = Form::duration, .value = "TIME", .usual = "10s",
   .help = "time at most: 10s, 500ms, 2m", .commands = command::solve | command::bound},
  {.key = "fix-time", .option = "--time", .group = search, .form = Form::duration, .value = "TIME", .usual = "10s",
   .help = "time for the repair of a problem: 10s, 500ms, 2m", .commands = command::fix},
  {.key = "prefer", .option = "--prefer", .group = search, .form = Form::word, .value = "WHAT",
   .otherwise = "the shortest diff that is right to some ulps", .choices = "accuracy,speed,size",
   .help = "which of the repairs that pass: accuracy, speed or size", .commands = command::fix},
  {.key = "cost", .option = "--cost", .group = search, .form = Form::number, .value = "R", .usual = "4",
   .help = "the run time that a repair may take, against that of the code", .commands = command::fix},
  {.key = "check-patch", .option = "--check", .group = code, .form = Form::path, .value = "FILE.patch",
   .help = "search for no repair, and judge this one", .commands = command::fix},
  {.key = "write", .option = "--write", .group = output, .form = Form::flag, .help = "change the files",
   .commands = command::fix},
  {.key = "ratio", .option = "--ratio", .group = search, .form = Form::number, .value = "R", .usual = "1.1",
   .help = "end when no proved bound is more than R times the found error", .commands = command::bound},
  {.key = "rounded-inputs", .option = "--rounded-inputs", .group = inputs, .form = Form::flag,
   .help = "inputs are reals rounded to the format",
   .more = "The exact inputs are then all reals that round to a float of the range. By itself the inputs are the floats "
           "that they are.", .commands = command::bound},
  {.key = "input-error", .option = "--input-error", .group = inputs, .form = Form::list, .value = "x=ERROR",
   .help = "the exact value of an input may differ from the float by this much", .commands = command::bound},
  {.key = "around", .option = "--around", .group = inputs, .form = Form::list, .value = "x=1,y=2",
   .help = "the largest box around this point in which no error is above the threshold",
   .more = "Inputs that are not named have all of their range.", .commands = command::bound},
  {.key = "run-time", .option = "--time", .group = search, .form = Form::duration, .value = "TIME",
   .otherwise = "1h, unless --evals is given", .help = "run: how long, on the clock: 30m, 8h",
   .more = "Jobs that are under way then may come to their end, for a twentieth of it, 30 s at most.",
   .commands = command::campaign},
  {.key = "run-evals", .option = "--evals", .group = search, .form = Form::number, .value = "N",
   .help = "run: evaluations per function, over all runs",
   .more = "What is found then does not depend on the order of the jobs, on -j, or on how often a run was killed.",
   .commands = command::campaign},
  {.key = "slurm", .option = "--slurm", .group = machines, .form = Form::flag,
   .help = "run: by tasks of a Slurm cluster",
   .more = "One job array with sbatch; within an allocation by srun, unless --partition is given. The campaign's folder and "
           "the program have to be on a file system that the nodes see under the same name.", .commands = command::campaign},
  {.key = "partition", .option = "--partition", .group = machines, .form = Form::word, .value = "NAME",
   .otherwise = "the cluster's own choice", .help = "with --slurm: where the tasks run", .commands = command::campaign},
  {.key = "tasks", .option = "--tasks", .group = machines, .form = Form::number, .value = "N", .usual = "64",
   .help = "with --slurm and --launcher: number of tasks", .commands = command::campaign},
  {.key = "array-limit", .option = "--array-limit", .group = machines, .form = Form::number, .value = "N", .usual = "256",
   .help = "with --slurm: number of tasks that run at a time", .commands = command::campaign},
  {.key = "task-time", .option = "--task-time", .group = machines, .form = Form::duration, .value = "TIME", .usual = "2h",
   .help = "with --slurm and --launcher: time limit of a task; the rest is redistributed",
   .commands = command::campaign},
  {.key = "launcher", .option = "--launcher", .group = machines, .form = Form::word, .value = "COMMAND",
   .help = "run: by tasks that this command starts: 'ssh node7 faultline worker --share {job}'",
   .more = "The shell runs it once a job file, with the path in the place of {job}; or, with {share} instead, once, with the "
           "folder of them: 'mpirun -np 64 faultline worker --share {share}'. The paths are quoted for the shell.",
   .commands = command::campaign},
  {.key = "shared-folder", .option = "--shared-folder", .group = machines, .form = Form::path, .value = "PATH",
   .otherwise = "the campaign's folder", .help = "with --slurm and --launcher: where jobs and results are, for all machines to see",
   .more = "The store then stays on a file system of this machine, which is where it belongs.", .commands = command::campaign},
  {.key = "share", .option = "--share", .group = machines, .form = Form::path, .value = "PATH",
   .help = "run tasks of a campaign: PATH is a job file, or the folder of job files",
   .commands = command::worker},
  {.key = "commit", .option = "--commit", .group = code, .form = Form::word, .value = "NAME",
   .otherwise = "what Git has checked out", .help = "run: name of this state of the sources",
   .commands = command::campaign},
  {.key = "baseline", .option = "--baseline", .group = counts, .form = Form::path, .value = "FILE.json",
   .help = "report of an earlier hunt; its findings do not count",
   .more = "See FINDINGS THAT ARE KNOWN.", .commands = command::hunt,
   .in_file = InFile::at_the_top, .example = "baseline = \"known.json\"",
   .recorded = Recorded::in_reports},
  {.key = "factor", .option = "--factor", .group = counts, .form = Form::number, .value = "F", .usual = "2",
   .help = "a vector fails if its error is more than F times that of the file; errors below 2 ulps count as 2",
   .commands = command::vectors},
  {.key = "fail-on", .option = "--fail-on", .group = counts, .form = Form::word, .value = "TIER", .usual = "error",
   .help = "what makes the exit status 1: error, warning or note",
   .more = "An error is an avoidable failure at everyday inputs. A warning is one at other inputs, or one that may be "
           "unavoidable. A note is a failure that the code can hardly avoid, or an overflow or underflow beyond everyday "
           "magnitudes in code that does not claim to handle them. Lower tiers are reported, too.", .commands = command::hunt,
   .in_file = InFile::at_the_top, .example = "fail-on = \"warning\"",
   .recorded = Recorded::in_reports},
  {.key = "fail-on", .option = "--fail-on", .group = counts, .form = Form::word, .value = "TIER", .usual = "error",
   .help = "report, compare: what makes the exit status 1: error, warning or note; to compare, new ones",
   .commands = command::campaign},
  {.key = "fail-on", .option = "--fail-on", .group = counts, .form = Form::word, .value = "TIER", .otherwise = "the program's own",
   .help = "exit status 1 if there is a problem of this tier: error, warning or note", .commands = command::run},
  {.key = "most", .option = "--most", .group = output, .form = Form::number, .value = "N", .usual = "200",
   .unit = "operations", .help = "operations shown", .commands = command::explain},
  {.key = "kind", .option = "--kind", .group = output, .form = Form::word, .value = "NAME",
   .help = "describe a kind of finding; needs no source", .commands = command::explain},
  {.key = "only", .option = "--only", .group = output, .form = Form::list, .value = "ID", .help = "this finding",
   .commands = command::replay},
  {.key = "strict", .option = "--strict", .group = output, .form = Form::flag,
   .help = "also check every claim of the findings",
   .more = "The computed value is that of the code as it is built without instrumentation; the reference stays what it "
           "is in twice the precision; the parts of the error add up; the line at fault lies on the path of the run.",
   .commands = command::replay},
  {.key = "report", .option = "-o", .group = output, .form = Form::list, .value = "FILE",
   .help = "a report: .json, .sarif, .xml (JUnit), .html, .cpp or .c (regression tests), .csv, .py, .ipp or .hpp (test "
           "vectors), .txt, or - for JSON on standard output",
   .commands = command::hunt | command::report | command::campaign,
   .recorded = Recorded::in_reports},
  {.key = "report", .option = "-o", .group = output, .form = Form::list, .value = "FILE",
   .help = "the explanation: .json, .txt, or - for JSON on standard output", .commands = command::explain},
  {.key = "report", .option = "-o", .group = output, .form = Form::list, .value = "FILE",
   .help = "tests: .cpp (GoogleTest) or .c; .json; - for JSON on standard output", .commands = command::cover},
  {.key = "report", .option = "-o", .group = output, .form = Form::list, .value = "FILE",
   .help = "the bounds: .json, .html, .txt, .proof.json (the proof, for faultline check), or - for JSON on standard output",
   .commands = command::bound},
  {.key = "report", .option = "-o", .group = output, .form = Form::list, .value = "FILE",
   .help = "what was checked: .json, or - for JSON on standard output", .commands = command::check},
  {.key = "report", .option = "-o", .group = output, .form = Form::list, .value = "FILE",
   .help = "where to write it: .fpcore, .c (of FPCores), or - for standard output",
   .commands = command::export_fpcore},
  {.key = "report", .option = "-o", .group = output, .form = Form::list, .value = "FILE",
   .help = "what was seen: .json, or - for JSON on standard output", .commands = command::vectors},
  {.key = "report", .option = "-o", .group = output, .form = Form::list, .value = "FILE",
   .help = "what the run showed: .json, .html, .sarif, or - for JSON on standard output", .commands = command::run},
  {.key = "report", .option = "-o", .group = output, .form = Form::list, .value = "FILE",
   .help = "the repairs: .patch, .json, .md (a summary), _test.cpp or _test.c (regression tests), or - for JSON on "
           "standard output", .commands = command::fix},
  {.key = "seen-file", .option = "-o", .group = output, .form = Form::path, .value = "FILE", .usual = "seen.json",
   .help = "where to write what was seen, for hunt --seen", .commands = command::record},
  {.key = "twin", .option = "--twin", .group = output, .form = Form::path, .value = "PROGRAM",
   .help = "run nothing: make the recording twin of a program or library, for the recorder's own use",
   .commands = command::record},
  {.key = "record", .option = "--record", .group = output, .form = Form::flag,
   .help = "only record what functions are called with, as faultline record does; -o names the file",
   .commands = command::run},
  {.key = "include", .option = "--include", .group = output, .form = Form::list, .value = "HEADER",
   .otherwise = "the tests declare what they call",
   .help = "regression tests (.cpp, .c) include this header, which declares the functions",
   .commands = command::hunt | command::report | command::campaign,
   .recorded = Recorded::in_reports},
  {.key = "vectors", .option = "--vectors", .group = output, .form = Form::number, .value = "N", .usual = "50",
   .help = "how many test vectors of each function a .csv, .py, .ipp or .hpp has, at most",
   .more = "Problems come first, then inputs that show every outcome of a branch that was reached, then borders between "
           "decisions, special values and ordinary inputs; no two that show the same, as long as there are others.",
   .commands = command::hunt | command::report | command::campaign},
  {.key = "no-plots", .option = "--no-plots", .group = output, .form = Form::flag,
   .help = "HTML reports without plots: the code is not run again for them",
   .commands = command::hunt | command::report | command::campaign,
   .recorded = Recorded::in_reports},
  {.key = "watch", .option = "--watch", .group = output, .form = Form::flag,
   .help = "status: update in place until the run ends", .commands = command::campaign},
  {.key = "limit", .option = "--limit", .group = output, .form = Form::number, .value = "N", .usual = "10",
   .unit = "problems", .help = "number of problems to show in full; the others have one line each",
   .commands = command::hunt | command::report | command::campaign,
   .recorded = Recorded::in_reports},
  {.key = "verbose", .option = "-v,--verbose", .group = output, .form = Form::flag,
   .help = "show every finding in full, and the whole table",
   .commands = command::hunt | command::report | command::campaign,
   .recorded = Recorded::in_reports},
  {.key = "quiet", .option = "-q,--quiet", .group = output, .form = Form::flag,
   .help = "no progress on standard error, and one line per problem",
   .commands = command::hunt | command::report,
   .recorded = Recorded::in_reports},
  {.key = "quiet", .option = "-q,--quiet", .group = output, .form = Form::flag,
   .help = "no progress on standard error; status: one line, report, compare: one line a problem",
   .commands = command::campaign},
  {.key = "quiet", .option = "-q,--quiet", .group = output, .form = Form::flag,
   .help = "no progress on standard error", .commands = command::cover | command::bound},
  {.key = "quiet", .option = "-q,--quiet", .group = output, .form = Form::flag,
   .help = "nothing on standard error", .commands = command::fix},
  {.key = "quiet", .option = "-q,--quiet", .group = output, .form = Form::flag,
   .help = "name only the functions whose vectors fail", .commands = command::vectors},
  {.key = "quiet", .option = "-q,--quiet", .group = output, .form = Form::flag,
   .help = "print only findings that are not reproduced or not correct", .commands = command::replay},
  {.key = "quiet", .option = "-q,--quiet", .group = output, .form = Form::flag,
   .help = "no summary on standard error", .commands = command::record},
  {.key = "quiet", .option = "-q,--quiet", .group = output, .form = Form::flag,
   .help = "no report on standard error", .commands = command::run},
  {.key = "against", .option = "--against", .group = output, .form = Form::word, .value = "OTHER",
   .help = "where this run and another one part, and whether rounding explains it: '[NAME=VALUE...] [PROGRAM [ARGUMENTS]]'",
   .more = "What is left out is taken from the first run: --against ./other_build, --against './app other.in', --against "
           "OMP_NUM_THREADS=1.", .commands = command::run},
  {.key = "narrow", .option = "--narrow", .group = output, .form = Form::word, .value = "TOL",
   .help = "which declarations of double can be float while each printed number keeps this relative error; C and C++",
   .more = "The program is run once as it is, and then with narrowed copies of its sources, at most ten times. -o FILE.patch "
           "writes the declarations as a diff.", .commands = command::run},
  {.key = "no-causes", .option = "--no-causes", .group = output, .form = Form::flag,
   .help = "a third faster; does not say where the digits of a printed number were lost", .commands = command::run},
  {.key = "watch", .option = "--watch", .group = output, .form = Form::list, .value = "NAME",
   .help = "a variable whose right digits are shown over time; arrays by their norm", .commands = command::run},
  {.key = "once", .option = "--once", .group = output, .form = Form::flag,
   .help = "run the program once; nothing is confirmed then, and less is found", .commands = command::run},
};
// clang-format on

// True if a setting for `by` also applies to `name`.
bool covers(const std::string& by, const std::string& name, const std::function<bool(const std::string&)>& is_float) {
  if (by == "*")
    return name == "*" || is_float(name);
  const bool begins = name.size() > by.size() && name.starts_with(by);
  return name == by || (begins && std::string_view("[.(%").find(name[by.size()]) != std::string_view::npos);
}

// Throws if two settings for the same thing contradict each other.
void check_oracle(const RawSettings& raw, const Settings& settings) {
  if (raw.has("reference") && raw.has("oracle") && raw.value("oracle") != "reference")
    throw UserError(status_usage, fmt::format("--reference does not go with --oracle {}", raw.value("oracle")),
                    "leave out one of the two");
  if (settings.oracle == OracleName::reference && settings.reference_file.empty())
    throw UserError(status_usage, "--oracle reference: there is no reference", "add --reference FILE:FUNCTION");
}

} // namespace

const std::vector<std::string>& RawSettings::values(const std::string& key) const {
  static const std::vector<std::string> none;
  const auto found = values_.find(key);
  return found == values_.end() ? none : found->second;
}

const std::string& RawSettings::value(const std::string& key) const {
  static const std::string none;
  const std::vector<std::string>& all = values(key);
  return all.empty() ? none : all.back();
}

void RawSettings::set(const std::string& key, std::vector<std::string> values) {
  if (values.empty())
    values_.erase(key);
  else
    values_[key] = std::move(values);
}

const std::vector<Setting>& all_settings() {
  static const std::vector<Setting> all(std::begin(settings), std::end(settings));
  return all;
}

const Setting* find_setting(const std::string& key) {
  const auto found = std::ranges::find_if(all_settings(), [&](const Setting& setting) { return setting.key == key; });
  return found == all_settings().end() ? nullptr : &*found;
}

bool is_option(const Setting& setting, std::string_view word) {
  for (std::string_view options = setting.option; !options.empty();) {
    const std::string_view option = options.substr(0, options.find(','));
    options.remove_prefix(std::min(option.size() + 1, options.size()));
    const bool is_long = option.starts_with("--");
    if (word == option || (word.starts_with(option) && (is_long ? word[option.size()] == '=' : word[1] != '-')))
      return true;
  }
  return false;
}

Settings read_settings(const RawSettings& raw, Settings settings) {
  for (const Setting& setting : all_settings())
    if (setting.of_function() && raw.has(setting.key))
      setting.read(raw.values(setting.key), settings);
  check_oracle(raw, settings);
  return settings;
}

RawSettings raw_settings_of(const Settings& settings) {
  RawSettings raw;
  for (const Setting& setting : all_settings())
    if (setting.of_function())
      raw.set(setting.key, setting.write(settings));
  return raw;
}

std::vector<std::string> words_of(const RawSettings& raw) {
  std::vector<std::string> words;
  for (const Setting& setting : all_settings()) {
    if (!setting.of_function() || setting.recorded == Recorded::never || !raw.has(setting.key))
      continue;
    if (setting.form == Form::flag) {
      if (raw.is_on(setting.key))
        words.push_back(fmt::format("--{}", setting.key));
      continue;
    }
    for (const std::string& value : raw.values(setting.key)) {
      words.push_back(fmt::format("--{}", setting.key));
      words.push_back(value);
    }
  }
  return words;
}

RawSettings raw_settings_in(const std::vector<std::string>& words) {
  RawSettings raw;
  for (size_t i = 0; i < words.size(); ++i) {
    const Setting* setting = words[i].starts_with("--") ? find_setting(words[i].substr(2)) : nullptr;
    const bool flag = setting && setting->form == Form::flag;
    if (!setting || !setting->of_function() || setting->recorded == Recorded::never || (!flag && i + 1 == words.size()))
      throw UserError(status_usage, fmt::format("'{}' is not a setting with its value", words[i]),
                      "use a file that faultline hunt -o FILE.json wrote");
    raw.add(setting->key, flag ? "true" : words[++i]);
  }
  return raw;
}

std::string name_in(const std::string& text, Form form) {
  const size_t equals = text.find('=');
  return equals != std::string::npos ? text.substr(0, equals) : form == Form::list ? text : "*";
}

RawSettings overridden(RawSettings lower, const RawSettings& higher,
                       const std::function<bool(const std::string&)>& is_float) {
  for (const Setting& setting : all_settings())
    if (*setting.alternative && (higher.has(setting.key) || higher.has(setting.alternative))) {
      lower.forget(setting.key);
      lower.forget(setting.alternative);
    }
  for (const Setting& setting : all_settings()) {
    if (!higher.has(setting.key))
      continue;
    const std::vector<std::string>& replacing = higher.values(setting.key);
    std::vector<std::string> values = lower.values(setting.key);
    std::erase_if(values, [&](const std::string& text) {
      return setting.form != Form::by_name ? !setting.adds_up
                                           : std::ranges::any_of(replacing, [&](const std::string& by) {
                                               return (setting.for_every_array && name_in(by) == "*") ||
                                                      covers(name_in(by), name_in(text), is_float);
                                             });
    });
    values.insert(values.end(), replacing.begin(), replacing.end());
    lower.set(setting.key, std::move(values));
  }
  return lower;
}

} // namespace faultline::model
