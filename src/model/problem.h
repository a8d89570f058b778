// Problems: the findings of a report, grouped for the reader. A problem is one faulty place of the source with one
// class of fault. It collects the findings of all functions that reach the place, all kinds that it causes (the
// overflow of b*b, the inf - inf after it) and all inputs. Its representative is the finding at the most ordinary
// input.
#pragma once

#include "model/finding.h"
#include "model/report.h"

#include <string>
#include <vector>

namespace faultline::model {

// A finding of a report, by its position there.
struct Evidence {
  const TargetReport* target = nullptr;
  const Finding* finding = nullptr;
};

struct Problem {
  std::string id; // a hash of the class and the place, stable while the line does not move
  Tier tier = Tier::note;
  std::string fault; // the class: cancellation, overflow, crash, ...
  std::string file;
  int line = 0;
  int column = 0;
  std::string source;                 // the expression, if it is known
  std::vector<std::string> functions; // targets that reach it, the representative's first
  std::vector<int> other_lines;       // of problems with the same root, which are part of this one
  std::vector<Evidence> findings;     // the representative first, then the most important
  Evidence worst;                     // the largest error among them; without a finding if there is none
  bool set_aside = false;             // every finding is suppressed or in the baseline

  const Finding& representative() const { return *findings.front().finding; }
  const TargetReport& target() const { return *findings.front().target; }
};

// Returns the class of the problem that a finding belongs to: that of its fault, or its kind. An intermediate fault and
// the exception that it causes have one class.
std::string_view problem_class(const Finding& finding);

// True if the finding shows only that something is wrong. Such findings join a more specific problem at their place.
bool is_vague(const Finding& finding);

// Returns the problems, most important first: by tier; then infinities, NaNs and wrong branches inside of ranges that
// the user gave or that were seen; then those that many inputs show; then by size, where all errors of 1 or more are
// equal; then those that an ordinary input shows; then by place. Exceptions after which the result is right are left
// out, except for targets that show all. The result points into the report.
std::vector<Problem> problems_of(const Report& report);

// A report with its problems, which are computed once for all outputs. It refers to the report.
struct RankedReport {
  RankedReport(const Report& of) : report(of), problems(problems_of(of)) {} // implicit: a report can be passed for it

  const Report& report;
  std::vector<Problem> problems;
};

// Returns the problems to show. Suppressed and known ones are left out, except for targets that show all.
std::vector<Problem> shown_problems(const RankedReport& ranked);

// 0 nothing that counts, 1 problems of the tier `fail_on` or a higher one, 4 inconclusive.
int exit_status(const RankedReport& ranked);

// How ordinary an input is; smaller is more ordinary. Everyday inputs come first, then those with few inputs other than
// 0 and 1, few distinct magnitudes, and few digits.
struct Ordinariness {
  bool unusual = true; // not everyday
  size_t telling = 0, magnitudes = 0, digits = 0;

  auto operator<=>(const Ordinariness&) const = default;
};
Ordinariness ordinariness(const std::vector<NamedNumber>& input, bool everyday);

// The size by which problems are compared: no correct digit is the worst case. An infinity or NaN has none.
double capped_size(const Finding& finding);

} // namespace faultline::model
