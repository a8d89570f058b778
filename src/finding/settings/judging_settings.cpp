// The rows of the settings that say what counts: each reads its field of Settings from text, and writes it.
#include "finding/settings/rows.h"

namespace faultline::finding {
namespace {

// clang-format off
constexpr Setting settings_of_the_judge[] = {
  {.key = "output", .option = "--output", .group = counts, .form = Form::list, .value = "NAME",
   .otherwise = "all floats", .help = "judge this output", .commands = measuring,
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
   .in_file = InFile::anywhere, .example = "unordered = [\"w\"]", .names = Names::outputs,
   .read = [](const Values& v, Settings& s) { s.unordered = v; },
   .write = [](const Settings& s) { return s.unordered; }},
  {.key = "up-to-sign", .option = "--up-to-sign", .group = counts, .form = Form::list, .value = "NAME",
   .help = "the sign of this output is free: an eigenvector", .commands = judging,
   .in_file = InFile::anywhere, .example = "up-to-sign = [\"v\"]", .names = Names::outputs,
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
