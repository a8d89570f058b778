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
#pragma once

#include "benchmarks/gsl/reference.h"
#include "finding/report.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace faultline::suite {

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

} // namespace faultline::suite
