// The problems of a run: what people read first, and what reports in all formats list.
//
// Tiers. An error is a failure that a further run has confirmed and that does harm: a NaN that is printed, or that a
// comparison swallows, and a value that is read before it is written and that changes the results. A warning is a
// printed number with few right digits, a decision or a tolerance that changes a result, and a literal of single
// precision among doubles. All else is a note.
#pragma once

#include "model/run_report.h"
#include "report/text.h"

#include <string>
#include <vector>

namespace faultline::report {

using model::RunPlace;
using model::RunReport;

enum class RunTier { error, warning, note };
enum class RunClass { uninitialised, invalid, inaccuracy, precision, tolerance, branch_flip, overflow };

std::string_view text(RunTier tier);
std::string_view text(RunClass kind);

struct RunProblem {
  RunClass kind;
  RunTier tier;
  RunPlace place;
  std::string title;
  std::vector<std::string> seen; // what the run showed, one fact each
  bool confirmed = false;        // by a further run
  double weight = 0;             // the order among problems of the same tier and class
};

inline constexpr double few_digits = 3, half_of_digits = 8; // right decimal digits of a printed number
inline constexpr double cancelled_digits = 12; // the same, where a cancellation is the cause: a guess

// Most important first.
std::vector<RunProblem> problems_of(const RunReport& report, const SourceLine& source);

// True if there is a problem of this tier or a more important one.
bool has_problem(const RunReport& report, const SourceLine& source, RunTier tier);

std::string place_words(const RunPlace& place);

} // namespace faultline::report
