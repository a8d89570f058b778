// Rows of the settings of a function. Each reads its field of Settings from text and writes it.
#include "finding/settings/rows.h"

namespace faultline::finding {

namespace {

// clang-format off
constexpr Setting settings_of_the_code[] = {
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
  {.key = "skip", .group = code, .form = Form::flag,
   .help = "not hunted in, unless -f names it", .in_file = InFile::anywhere, .example = "skip = true",
   .recorded = Recorded::never,
   .read = [](const Values& v, Settings& s) { s.skip = flag(v); },
   .write = [](const Settings& s) { return flag(s.skip); }},
  {.key = "range", .option = "--range", .group = inputs, .form = Form::by_name, .value = "x=LO:HI",
   .otherwise = "all finite floats, small integers",
   .help = "where to search; LO:HI for all floats",
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
   .help = "the values that an input has in practice: searched first; --seen knows them from real runs",
   .more = "LO:HI:LEAST also says what the smallest magnitude other than 0 is. Unless --range says where to search, it is "
           "there and up to twice as far: up to 2 HI, down to half of LEAST, and on the same side of 0.",
   .commands = command::hunt, .in_file = InFile::anywhere, .example = "everyday = { x = [0.1, 20] }",
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
  {.key = "hold", .option = "--hold", .group = inputs, .form = Form::by_name, .value = "n=4",
   .help = "fix an input", .commands = judging | command::cover | command::bound | command::export_fpcore,
   .in_file = InFile::anywhere, .example = "hold = { n = 4 }", .names = NameKind::inputs,
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
   .recorded = Recorded::in_reports,
   .read = [](const Values& v, Settings& s) { s.evaluations = positive_whole("--evals", v.back()); },
   .write = [](const Settings& s) { return if_given(s.evaluations); }},
  {.key = "seed", .option = "--seed", .group = search, .form = Form::number, .value = "N", .usual = "1",
   .help = "of the random numbers", .commands = exploring | command::bound | command::solve,
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
   .help = "where to search: everyday, or all, everyday inputs first",
   .more = "An input is everyday if each of its floats is 0 or has a magnitude of 1e-9 to 1e9 (binary32: 1e-6 to 1e6), "
           "within the ranges that are given; a range that has nothing of that counts as everyday itself.",
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
};

// clang-format on

} // namespace

std::vector<Setting> function_settings() {
  std::vector<Setting> rows;
  for (const std::span<const Setting> part : {std::span<const Setting>(settings_of_the_code),
                                              std::span<const Setting>(settings_of_the_search), judging_settings()})
    rows.insert(rows.end(), part.begin(), part.end());
  return rows;
}

// Rows of the settings that define which results count.

namespace {

// clang-format off
constexpr Setting settings_of_the_judge[] = {
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
   .otherwise = "1e-3; at everyday inputs half of the digits, if that is avoidable", .help = "relative error that counts",
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
   .otherwise = "inf for matrices, component for vectors", .choices = "inf,2,component",
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
  {.key = "means", .option = "--means", .group = counts, .form = Form::list, .value = "[F=]EXPRESSION",
   .otherwise = "what a comment before the function says",
   .help = "judge by this mathematics: 'besseli(v, x)'; auto: by what well-known functions mean",
   .more = "An expression over the inputs in real arithmetic, by which wrong formulas, constants and branches are seen "
           "too. F=EXPRESSION is for the function F, F.OUTPUT=EXPRESSION for one of its outputs, .OUTPUT=EXPRESSION for "
           "that output of every function. auto knows functions of GSL, Cephes, R, Boost.Math and SLATEC by name and "
           "signature; none: no meaning, whatever was said before (docs/meaning.md).",
   .commands = judging, .in_file = InFile::anywhere, .example = "means = \"sqrt(x + 1) - sqrt(x)\"", .adds_up = true,
   .read = [](const Values& v, Settings& s) { s.means = v; },
   .write = [](const Settings& s) { return s.means; }},
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
   .help = "show what is suppressed or known too, and exceptions that do no harm", .commands = command::hunt,
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

std::span<const Setting> judging_settings() { return settings_of_the_judge; }

} // namespace faultline::finding
