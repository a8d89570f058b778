#include "suite/fpse/fpse.h"

#include "base/clock.h"
#include "numeric/decimal.h"
#include "suite/fpse/fpse_cases.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::suite {

using numeric::binary32;
using numeric::binary64;
using numeric::BinaryFormat;

namespace {

// With all digits of a double, also in single: that is how the slides print them.
std::string text(numeric::Int128 order, BinaryFormat format) {
  return numeric::shortest_decimal(numeric::double_of(format.at(order), format));
}

// One unit of the last digit of a decimal number.
long double last_unit(const std::string& decimal) {
  const size_t e = decimal.find('e');
  const std::string digits = decimal.substr(0, e);
  const size_t point = digits.find('.');
  const int places = point == std::string::npos ? 0 : int(digits.size() - point - 1);
  const int exponent = e == std::string::npos ? 0 : std::stoi(decimal.substr(e + 1));
  return std::pow(10.0L, static_cast<long double>(exponent - places));
}

bool near(numeric::Int128 order, const std::string& decimal, BinaryFormat format) {
  const long double expected = std::stold(decimal);
  if (expected == 0)
    return order == (std::signbit(expected) ? -1 : 0);
  return std::fabs(numeric::long_double_of(format.at(order), format) - expected) < last_unit(decimal);
}

solve::Result solved(const Path& path, bool ulp_max, const FpseOptions& options) {
  solve::Question question{.system = path.system(), .seconds = options.seconds};
  question.ulp_max = ulp_max;
  return solve::solve(*solve::find_solver(options.solver), question);
}

} // namespace

const Published& ProgramResult::expected() const {
  return format == binary32 ? program->in_single.expected : program->in_double.expected;
}

const Published& ProgramResult::fpse() const {
  return format == binary32 ? program->in_single.fpse : program->in_double.fpse;
}

std::string ProgramResult::answer() const {
  if (extent.infeasible())
    return "infeasible";
  const solve::Range& range = extent.exact() ? extent.seen : extent.possible;
  const std::string shown = range.single() ? text(range.low, format)
                                           : fmt::format("[{}, {}]", text(range.low, format), text(range.high, format));
  return extent.exact() ? shown : shown + " ?";
}

bool agrees(const solve::Extent& extent, const Published& published, BinaryFormat format) {
  if (!extent.exact())
    return false;
  if (published.kind == Published::Kind::infeasible || extent.infeasible())
    return published.kind == Published::Kind::infeasible && extent.infeasible();
  if (published.kind == Published::Kind::member) {
    const auto named = format == binary32 ? numeric::Format::binary32 : numeric::Format::binary64;
    const long double value = numeric::parse_number(published.least, named).value_or(NAN);
    return extent.seen.has(format.order(numeric::bits_of(value, format)));
  }
  return near(extent.seen.low, published.least, format) && near(extent.seen.high, published.greatest, format);
}

ProgramResult evaluate(const FpseProgram& program, BinaryFormat format, const FpseOptions& options) {
  Path path(format);
  program.build(path);
  ProgramResult result{.program = &program,
                       .format = format,
                       .constraints = path.constraints(),
                       .variables = path.variables(),
                       .extent = {}};
  const base::Stopwatch watch;
  result.extent =
      solve::extent(path.system(), path.result(), *solve::find_solver(options.solver), {.seconds = options.seconds});
  result.seconds = watch.seconds();
  result.agrees = agrees(result.extent, result.expected(), format);
  return result;
}

PathResult evaluate(CaseStudy study, int depth, const std::string& name, const Path& path, const FpseOptions& options) {
  return {.study = study,
          .depth = depth,
          .path = name,
          .constraints = path.constraints(),
          .variables = path.variables(),
          .with = solved(path, true, options),
          .without = solved(path, false, options)};
}

bool FpseEvaluation::good() const {
  return std::ranges::all_of(programs, &ProgramResult::agrees) &&
         std::ranges::all_of(
             paths, [](const PathResult& path) { return path.study != CaseStudy::dichotomic || path.solved(); });
}

FpseEvaluation evaluate_fpse(const FpseOptions& options, const FpseListener& listener, const std::atomic<bool>& stop) {
  FpseEvaluation evaluation{.options = options, .programs = {}, .paths = {}};
  for (const FpseProgram& program : fpse_programs())
    for (const BinaryFormat format : {binary32, binary64}) {
      if (stop)
        return evaluation;
      listener(program.name);
      evaluation.programs.push_back(evaluate(program, format, options));
    }
  for (const DichotomicPath which : {DichotomicPath::found, DichotomicPath::too_large})
    for (int depth = 1; depth <= deepest_dichotomic && !stop; ++depth) {
      listener(fmt::format("dichotomic, depth {}", depth));
      evaluation.paths.push_back(evaluate(CaseStudy::dichotomic, depth,
                                          which == DichotomicPath::found ? "found" : "too large",
                                          dichotomic(depth, which), options));
    }
  for (int number = 0; number < tcas_paths && !stop; ++number) {
    listener(fmt::format("tcas, path {}", number + 1));
    evaluation.paths.push_back(evaluate(CaseStudy::tcas, 0, tcas_name(number), tcas(number), options));
  }
  return evaluation;
}

} // namespace faultline::suite
