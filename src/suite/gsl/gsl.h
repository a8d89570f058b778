// The GSL suite (faultline bench gsl): hunts in GSL's special functions, scores what was reported against exact values,
// and keeps it beside the figures of others.
//
// Two phases. Hunts: each strategy with the budget it chooses itself, as a user would run it. Comparison: each strategy
// with the same number of evaluations, on the one-argument functions, to rank them.
#pragma once

#include "benchmarks/gsl/reference.h"
#include "finding/report.h"
#include "hunt/hunt.h"
#include "suite/gsl/published.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace faultline::suite {

// Scoring: the inputs that a hunt reported, against exact values of the mathematical function.
//
// A hunt's own oracle knows the code, not the function it stands for: an error of a formula or a constant escapes it,
// and a path that makes no sense in exact arithmetic can look like an error that is none. So every reported input is
// judged again here. Nothing is run for it: a finding carries what was computed.
//
//   error         |computed - exact| / |exact|; infinite if only the exact value is 0
//   right         computed is the double nearest to the exact value or next to that one: no double result is much
//                 better, so its error counts as 0, however large it is (a subnormal result, an overflow)
//   significant   not right, and the error is above the threshold
//   pole          the exact value is infinite and the computed one is not: no digit of it is right. Significant, but
//   its
//                 error has no size, so it does not compete for the largest
//   undefined     there is no exact value: outside of the domain
//   unknown       there is no reference, or it could not determine the value
//
// The oracle's own references are scored, too: they are what the code gives in exact arithmetic. One agrees with the
// function if it is within an ulp of its value, or ten times nearer to it than what was computed.
struct ReportedInput {
  std::vector<double> arguments; // integers too
  double computed = 0;
  std::string text; // hex: 0x1.8p+3, or n=3 x=0x1.8p+3
};

// In the order of the report: the first is the one that a user sees first.
std::vector<ReportedInput> reported_inputs(const finding::TargetReport& target);

enum class Grade { right, insignificant, significant, pole, undefined, unknown };

struct Score {
  Grade grade = Grade::unknown;
  double relative_error = 0; // as it counts
};
Score score(double computed, const benchmarks::Exact& exact, double threshold);

// All that was reported for one function.
struct TargetScore {
  double largest_error = 0;
  std::string input; // with that error; empty if no input has an error
  uint64_t reported = 0;
  uint64_t significant = 0; // with those at poles
  uint64_t poles = 0;
  uint64_t undefined = 0;
  uint64_t unknown = 0;
  bool first_significant = false;
  uint64_t references = 0; // of findings whose exact value is known
  uint64_t agreeing = 0;
  std::map<std::string, uint64_t> disagreeing; // by class

  // Those that the reference has an opinion on.
  uint64_t judged() const { return reported - undefined - unknown; }
};

using Reference = std::function<benchmarks::Exact(std::span<const double> arguments)>;
TargetScore score(const finding::TargetReport& target, const Reference& reference, double threshold);

// The functions of the GSL suite: the one-argument functions of the ATOMU study, and all functions of several arguments
// that there is a reference for.
using Held = std::map<std::string, long double>; // by input
std::string text(const Held& held);              // n=8 mode=0

struct GslFunction {
  std::string name;
  int arguments = 1;  // one: of ATOMU's study; a precision mode does not count
  Held held;          // integer inputs: orders of a function, and the precision mode
  GslFigures figures; // of others; none for functions of several arguments

  bool one_argument() const { return arguments == 1; }
};

enum class Arity { one, several, all };

struct GslFunctions {
  std::vector<GslFunction> functions;
  std::vector<std::string> left_out; // "gsl_sf_foo: why": there is a reference, but it cannot be hunted in
};

// Looks into the library for the inputs. `names` chooses some; empty: all. Throws frontend::UserError: the library
// lacks a one-argument function, or a name is not in the suite.
GslFunctions gsl_functions(const std::string& library, const GslPublished& published, Arity arity,
                           const std::vector<std::string>& names);

struct GslOptions {
  std::string library;                // gsl.bc
  std::vector<std::string> functions; // empty: all
  Arity arity = Arity::all;
  std::vector<std::string> strategies;     // of the hunts; may be empty
  std::vector<std::string> compared;       // of the comparison; may be empty
  uint64_t compared_evaluations = 100'000; // of each function
  double budget_seconds = 10;              // of each function
  uint64_t seed = 1;
  int jobs = 1; // more of them load the cores, and times are longer
};

// The error that counts, as in the studies that the figures are from.
inline constexpr double significant_error = 1e-3;

struct SearchedFunction {
  finding::TargetReport report;
  TargetScore score;
};

// One strategy on the functions of the suite.
struct Trial {
  std::string strategy;
  std::optional<uint64_t> evaluations;               // of each function at most; none: as many as the strategy likes
  std::map<std::string, SearchedFunction> functions; // what was not hunted in, after an interrupt, is missing

  const SearchedFunction* find(const std::string& function) const;
};

struct GslEvaluation {
  GslOptions options;
  GslPublished published;
  std::vector<GslFunction> functions;
  std::vector<std::string> left_out;
  std::vector<Trial> hunts, comparison;

  std::vector<GslFunction> functions_of(Arity arity) const;
};

struct GslListener {
  std::function<void(const Trial&, size_t functions)> on_trial; // before it begins
  campaign::Listener hunt;
};

// Throws frontend::UserError. `stop` ends it early and keeps what was found.
GslEvaluation evaluate_gsl(const GslOptions& options, const GslListener& listener, const std::atomic<bool>& stop);

// The first strategy's findings, of the hunts or, without hunts, of the comparison: one entry a function.
finding::Report findings_of(const GslEvaluation& evaluation, std::vector<std::string> command);

} // namespace faultline::suite
