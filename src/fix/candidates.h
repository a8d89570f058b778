// The search for better forms of an expression: a question, and the candidates that answer it.
//
// A candidate is a list of branches. Each branch is a term, so it is data: a writer (fix/writing.h) makes code of it.
// What is known of a candidate is its evidence. Measured errors are those of the samples of the search; the trial of the
// compiled code is another layer's.
#pragma once

#include "fix/proof.h"

#include <functional>
#include <string>
#include <vector>

namespace faultline::fix {

// An input, with the range that is legal for it. Both ends are legal.
struct Variable {
  std::string name;
  Format format = Format::binary64;
  Value low = -std::numeric_limits<Value>::infinity(), high = std::numeric_limits<Value>::infinity();
  bool whole = false; // an integer
};

struct Question {
  Term term = Term::number(0);      // what the code means
  std::vector<Variable> variables;  // by index
  Format format = Format::binary64; // of the evaluation
  std::vector<Point> failing = {};  // inputs at which the code is known to fail
  // Further assumptions about the inputs; empty: none.
  std::function<bool(const Point&)> legal = {};
  // True: all inputs count, up to the ends of the format. False: candidates repair everyday inputs and those near
  // `failing`, and are not worse elsewhere; short forms without scaling win.
  bool everywhere = false;
  uint64_t seed = 1;
  double effort = 1;           // 1: some seconds
  bool allow_doubled = true;   // double-double arithmetic; false under -ffast-math
  double most_cost = 4;        // slower candidates are left out, as multiples of the original's cost
};

// Holds for one variable: x < border, or |x| < border.
struct Condition {
  size_t variable = 0;
  bool magnitude = false;
  Value border = 0;
  bool holds(const Point& point) const;
};

struct Branch {
  std::vector<Condition> when = {}; // all hold; empty: in all other cases, the last branch
  Term term = Term::number(0);
};

// Why a branch equals the original.
struct Step {
  enum class Kind : uint8_t {
    kept,     // the original itself
    rule,     // an identity by its name (fix/rules.h)
    algebra,  // an identity of rational functions
    series,   // a polynomial with a proved remainder
    numeric,  // no proof: agrees at all samples
  };
  Kind kind = Kind::numeric;
  std::string name = {};    // of the rule, or the center of the series
  double remainder = 0;     // of a series: bound of the relative error on its branch
};

struct Evidence {
  std::vector<std::vector<Step>> equality; // by branch
  std::vector<std::vector<Equation>> equations; // by branch: the same as data (fix/proof.h)
  // Every step of every branch is a rule whose conditions hold on the ranges, algebra, or a series of the whole with a
  // proved remainder.
  bool equality_proved = false;
};

// Errors at a set of samples, above conditioning.
struct Accuracy {
  double average_bits = 0; // log2(1 + distance from the rounded exact result in ulps)
  double largest = 0;      // relative error above what half an ulp of the inputs makes, eightfold
  size_t samples = 0;
};
struct Accuracies {
  Accuracy random, everyday, near;
};

struct Candidate {
  std::vector<Branch> branches = {};
  Evidence evidence = {};
  Accuracies after = {};
  double cost = 1; // of the most expensive branch, as a multiple of the original's (estimated)
  int size = 0;    // of all terms
  bool uses_doubled = false;
  bool repairs = false; // no avoidable error at any sample that counts, and not worse at others
};

struct Answer {
  Accuracies before;
  std::vector<Candidate> candidates; // best first; none is worse than the original at a sample
  std::string reason;                // why there is none
  bool fixed = false;                // the first candidate has no avoidable error at any sample that counts
};

Answer search_candidates(const Question& question);

Value evaluate(const Candidate& candidate, const Point& point, Format format);

} // namespace faultline::fix
