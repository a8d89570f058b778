#include "suite/fpse/fpse.h"

#include "base/clock.h"
#include "cli/progress.h"
#include "cli/writer.h"
#include "finding/settings/values.h"
#include "frontend/error.h"
#include "numeric/decimal.h"
#include "report/style.h"
#include "suite/bench.h"
#include "suite/fpse/fpse_text.h"

#include <cmath>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::suite {

using numeric::binary32;
using numeric::binary64;
using numeric::BinaryFormat;
using ops::Op;

using Term = Path::Term;

namespace {

void goldberg_sum(Path& path) {
  const Term a = path.input("a", "2.0e-30"), b = path.input("b", "1.0e30"), c = path.input("c", "1.0e-30");
  path.returns(path.subtract(path.subtract(path.add(a, b), b), c));
}

void goldberg_quadratic(Path& path) {
  const Term a = path.input("A", "1.22"), b = path.input("B", "3.34"), d = path.input("D", "0.0");
  const Term c = path.input("C");
  const Term square = path.multiply(b, b);
  const Term product = path.multiply(path.multiply(path.number("4"), a), c);
  path.test(Op::cmp_oeq, d, path.subtract(square, product));
  path.returns(c);
}

void sum_is_larger(Path& path) {
  const Term x = path.input("x"), y = path.input("y", "1.0e12");
  path.test(Op::cmp_olt, x, path.number("1.0e4"));
  path.test(Op::cmp_ogt, path.add(x, y), y);
  path.returns(x);
}

void sum_is_the_same(Path& path) {
  const Term x = path.input("x"), y = path.input("y", "1.0e12");
  path.test(Op::cmp_ogt, x, path.number("0"));
  path.test(Op::cmp_oeq, path.add(x, y), y);
  path.returns(x);
}

// z = 1; for (; y != 0; ++y) z *= x; return 1 / z; with y < 0. Unrolling determines the results of the tests of y; the
// last one implies all of them.
void power(Path& path, int times) {
  const Term x = path.input("x", "10");
  Term y = path.input("y", fmt::format("-{}", times)), z = path.number("1");
  for (int turn = 0; turn < times; ++turn) {
    z = path.multiply(z, x);
    y = path.add(y, path.number("1"));
  }
  path.test(Op::cmp_oeq, y, path.number("0"));
  path.returns(path.divide(path.number("1"), z));
}

void power_40(Path& path) { power(path, 40); }
void power_350(Path& path) { power(path, 350); }

void howden(Path& path) {
  const Term a = path.input("a"), b = path.input("b");
  const Term x1 = path.add(path.multiply(a, b), path.number("2"));
  path.test(Op::cmp_ogt, x1, path.number("100"));
  const Term x3 = path.subtract(path.subtract(path.number("100"), x1), path.number("50"));
  path.test(Op::cmp_ogt, x3, path.number("50"));
  path.returns(a);
}

Published value(const char* text) { return {Published::Kind::value, text, text}; }
Published member(const char* text) { return {Published::Kind::member, text, text}; }
Published ends(const char* least, const char* greatest) { return {Published::Kind::ends, least, greatest}; }
const Published infeasible;

} // namespace

std::string text(const Published& published) {
  if (published.kind == Published::Kind::infeasible)
    return "infeasible";
  return published.kind == Published::Kind::ends ? fmt::format("[{}, {}]", published.least, published.greatest)
                                                 : published.least;
}

const std::vector<FpseProgram>& fpse_programs() {
  static const std::vector<FpseProgram> programs = {
      {"goldberg_sum",
       "2.0e-30 + 1.0e30 - 1.0e30 - 1.0e-30",
       goldberg_sum,
       {value("-1.000000003e-30"), value("-1.000000003e-30")},
       {value("-1.0e-30"), value("-1.0e-30")}},
      {"goldberg_quadratic",
       "D == B*B - 4*A*C, A = 1.22, B = 3.34, D = +0.0; C",
       goldberg_quadratic,
       {member("2.2859835624694824"), ends("2.2859833240509033", "2.2859835624694824")},
       {member("2.2859836065573770"), ends("2.2859836065573766", "2.2859836065573770")}},
      {"sum_is_larger",
       "x < 1.0e4, x + 1.0e12 > 1.0e12; x",
       sum_is_larger,
       {infeasible, infeasible},
       {ends("6.103e-5", "9.999e3"), ends("6.103e-5", "9.999e3")}},
      {"sum_is_the_same",
       "x > 0, x + 1.0e12 == 1.0e12; x",
       sum_is_the_same,
       {ends("1.4012984643248171e-45", "3.2767998046875000e+04"),
        ends("1.4012984643248171e-45", "3.2768000000000000e+04")},
       {ends("4.9406564584124654e-324", "6.1035156250000000e-05"),
        ends("4.9406564584124654e-324", "6.1035156250000000e-05")}},
      {"power_40",
       "power.c, x = 10, y = -40",
       power_40,
       {value("+0.0"), value("+0.0")},
       {value("1.000000000001e-40"), value("1.000000000001e-40")}},
      {"power_350",
       "power.c, x = 10, y = -350",
       power_350,
       {value("+0.0"), value("+0.0")},
       {value("+0.0"), value("+0.0")}},
      {"howden",
       "x1 = a*b + 2, x1 > 100, x3 = 100 - x1 - 50, x3 > 50",
       howden,
       {infeasible, infeasible},
       {infeasible, infeasible}},
  };
  return programs;
}

namespace {

// Prints all digits of a double for single, too, like the slides.
std::string text(numeric::Int128 order, BinaryFormat format) {
  return numeric::shortest_decimal(numeric::double_of(format.at(order), format));
}

// Returns one unit of the last digit of a decimal number.
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

namespace {

constexpr const char* examples = R"(Seven small programs in single and double, whose results are compared with what is
published, and the paths of two case studies (examples/fpse), solved with filtering by ULP-max and without. The exit
status is 0 if all results agree and every path of dichotomic() is solved with ULP-max, else 1.

Examples:
  faultline bench fpse                               all of it
  faultline bench fpse --time 30s -o fpse.csv        more time for each path; a line for each result
  faultline bench fpse -o -                          JSON on standard output)";

} // namespace

int bench_fpse(const cli::CommandLine& line) {
  const finding::Said said = parse(
      {.name = "faultline bench fpse",
       .description = "Solves path conditions over floats: the evaluation of FPSE (ICST 2013).",
       .examples = examples,
       .options = {budget_option("time", "5s", "for each question: 5s, 500ms, 2m"), report_option(), quiet_option()}},
      line);
  const bool quiet = said.is_on("quiet");
  cli::refuse_flags(line);
  FpseOptions options;
  if (said.has("time"))
    options.seconds = finding::duration("--time", said.value("time"));
  const std::vector<BenchReport> reports =
      bench_reports(said.values("report")); // opened first, because they may be refused

  const cli::Interrupt interrupt;
  const FpseEvaluation evaluation = evaluate_fpse(
      options,
      [&](const std::string& what) {
        if (!quiet && isatty(STDERR_FILENO))
          fmt::print(stderr, "faultline: {}\n", what);
      },
      interrupt.flag());
  if (std::ranges::none_of(reports, [](const BenchReport& output) { return output.file.is_standard_output(); }))
    cli::print(fpse_text(evaluation, report::style_of(STDOUT_FILENO)));
  for (const BenchReport& output : reports)
    output.file.write(output.csv ? fpse_csv(evaluation) : fpse_json(evaluation));
  if (interrupt.flag()) {
    fmt::print(stderr, "faultline: interrupted; this is what was found until then\n");
    return frontend::status_inconclusive;
  }
  return evaluation.good() ? frontend::status_nothing : frontend::status_found;
}

} // namespace faultline::suite
