// Problems: what people read. A problem is one faulty place of the source with one class of fault. It gathers findings
// over all functions that reach the place, all kinds that it causes (the overflow of b*b, the inf - inf after it) and
// all inputs, and speaks through the most ordinary input.
#pragma once

#include "finding/finding.h"
#include "finding/report.h"

#include <string>
#include <vector>

namespace faultline::finding {

// A finding of a report, by its place there.
struct Evidence {
  const TargetReport* target = nullptr;
  const Finding* finding = nullptr;
};

struct Problem {
  std::string id; // a hash of the class and the place: stable while the line does not move
  Tier tier = Tier::note;
  std::string fault; // the class: cancellation, overflow, crash, ...
  std::string file;
  int line = 0;
  int column = 0;
  std::string source;                 // the expression, as far as it is known
  std::vector<std::string> functions; // targets that reach it, the representative's first
  std::vector<Evidence> findings;     // the representative first, then what matters most
  Evidence worst;                     // the largest error among them; no finding if none has one
  bool set_aside = false;             // every finding is suppressed, or known to a baseline

  const Finding& representative() const { return *findings.front().finding; }
  const TargetReport& target() const { return *findings.front().target; }
};

// The class of the problem that a finding belongs to: that of its fault, or its kind; a fault on the way and the
// exception that it comes of have one.
std::string_view problem_class(const Finding& finding);

// Does it say only that something is wrong, and not what? Among problems it joins what says more of its place.
bool is_vague(const Finding& finding);

// Most important first: by tier, then by size, all errors of 1 or more being alike; then those that many inputs show,
// and those that an ordinary one shows; then by place. Exceptions after which the result is right are left out, but for
// targets that show all. They point into the report.
std::vector<Problem> problems_of(const Report& report);

// A report with its problems, which are computed once for all that is made of it. It refers to the report.
struct RankedReport {
  RankedReport(const Report& of) : report(of), problems(problems_of(of)) {} // implicit: a report can be passed for it

  const Report& report;
  std::vector<Problem> problems;
};

// Those that a person wants to read: what is set aside is left out, but for targets that show all.
std::vector<Problem> shown_problems(const RankedReport& ranked);

// 0 nothing that counts, 1 problems of the tier `fail_on` or a higher one, 4 inconclusive.
int exit_status(const RankedReport& ranked);

// How ordinary an input is: the smaller, the more. Everyday before others; then few inputs that are neither 0 nor 1,
// few distinct magnitudes, few digits.
struct Ordinariness {
  bool unusual = true; // not everyday
  size_t telling = 0, magnitudes = 0, digits = 0;

  auto operator<=>(const Ordinariness&) const = default;
};
Ordinariness ordinariness(const std::vector<NamedNumber>& input, bool everyday);

// What sizes are compared by: nothing is worse than no correct digit. An infinity or NaN has none.
double capped_size(const Finding& finding);

} // namespace faultline::finding
