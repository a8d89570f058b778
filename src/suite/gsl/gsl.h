// The GSL suite (faultline bench gsl): hunts in GSL's special functions, scores the reported inputs against exact
// values, and compares with the figures of others.
//
// Two phases. Hunts: each strategy with its default budget, as a user would run it. Comparison: each strategy with the
// same number of evaluations, on the one-argument functions, to rank them.
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

// Scoring: compares the inputs reported by a hunt with exact values of the mathematical function.
//
// A hunt's own oracle knows the code, not the function that it implements: it misses the error of a formula or a
// constant, and a path that makes no sense in exact arithmetic can look like an error. So every reported input is
// judged again here, without running the code: a finding contains the computed value.
//
//   error         |computed - exact| / |exact|; infinite if only the exact value is 0
//   right         computed is the double nearest to the exact value or a neighbour of that: no double result is much
//                 better, so its error counts as 0, however large it is (a subnormal result, an overflow)
//   significant   not right, and the error is above the threshold
//   pole          the exact value is infinite and the computed one is not: no digit of it is right. Significant, but
//                 its error has no size, so it is not compared for the largest
//   undefined     there is no exact value: outside of the domain
//   unknown       there is no reference, or it could not determine the value
//
// The oracle's references are scored, too: they are the results of the code in exact arithmetic. A reference agrees
// with the function if it is within an ulp of the exact value, or ten times nearer to it than the computed value.
struct ReportedInput {
  std::vector<double> arguments; // including integers
  double computed = 0;
  std::string text; // hex: 0x1.8p+3, or n=3 x=0x1.8p+3
};

// Returns the inputs in the order of the report: the first is the first one that a user sees.
std::vector<ReportedInput> reported_inputs(const finding::TargetReport& target);

enum class Grade { right, insignificant, significant, pole, undefined, unknown };

struct Score {
  Grade grade = Grade::unknown;
  double relative_error = 0; // as it is counted
};
Score score(double computed, const benchmarks::Exact& exact, double threshold);

// The score of all reported inputs of one function.
struct TargetScore {
  double largest_error = 0;
  std::string input; // the input with that error; empty if no input has an error
  uint64_t reported = 0;
  uint64_t significant = 0; // including poles
  uint64_t poles = 0;
  uint64_t undefined = 0;
  uint64_t unknown = 0;
  bool first_significant = false;
  uint64_t references = 0; // of findings with a known exact value
  uint64_t agreeing = 0;
  std::map<std::string, uint64_t> disagreeing; // by class

  // Inputs for which the reference has a result.
  uint64_t judged() const { return reported - undefined - unknown; }
};

using Reference = std::function<benchmarks::Exact(std::span<const double> arguments)>;
TargetScore score(const finding::TargetReport& target, const Reference& reference, double threshold);

// The functions of the GSL suite: the one-argument functions of the ATOMU study, and all functions of several arguments
// with a reference.
using Held = std::map<std::string, long double>; // by input
std::string text(const Held& held);              // n=8 mode=0

struct GslFunction {
  std::string name;
  int arguments = 1;  // one: in ATOMU's study; a precision mode does not count
  Held held;          // integer inputs: orders of a function, and the precision mode
  GslFigures figures; // of other tools; none for functions of several arguments

  bool one_argument() const { return arguments == 1; }
};

enum class Arity { one, several, all };

struct GslFunctions {
  std::vector<GslFunction> functions;
  std::vector<std::string> left_out; // "gsl_sf_foo: why": there is a reference, but the function cannot be tested
};

// Reads the inputs from the library. `names` selects functions; empty: all. Throws frontend::UserError if the library
// lacks a one-argument function, or if a name is not in the suite.
GslFunctions gsl_functions(const std::string& library, const GslPublished& published, Arity arity,
                           const std::vector<std::string>& names);

struct GslOptions {
  std::string library;                // gsl.bc
  std::vector<std::string> functions; // empty: all
  Arity arity = Arity::all;
  std::vector<std::string> strategies;     // of the hunts; may be empty
  std::vector<std::string> compared;       // of the comparison; may be empty
  uint64_t compared_evaluations = 100'000; // per function
  double budget_seconds = 10;              // per function
  uint64_t seed = 1;
  int jobs = 1; // more jobs load the cores, so times are longer
};

// The error that counts, as in the studies with the published figures.
inline constexpr double significant_error = 1e-3;

struct SearchedFunction {
  finding::TargetReport report;
  TargetScore score;
};

// One strategy on the functions of the suite.
struct Trial {
  std::string strategy;
  std::optional<uint64_t> evaluations;               // per function, at most; none: the strategy's default
  std::map<std::string, SearchedFunction> functions; // without those that were not tested because of an interrupt

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
  std::function<void(const Trial&, size_t functions)> on_trial; // called before it begins
  campaign::Listener hunt;
};

// Throws frontend::UserError. `stop` ends it early and keeps the findings.
GslEvaluation evaluate_gsl(const GslOptions& options, const GslListener& listener, const std::atomic<bool>& stop);

// Returns the first strategy's findings, of the hunts or, without hunts, of the comparison: one entry per function.
finding::Report findings_of(const GslEvaluation& evaluation, std::vector<std::string> command);

} // namespace faultline::suite
