// A system in the words of SMT-LIB, for solvers that speak it. Operations that it lacks are written out with those that
// it has: min and max (whose zeros SMT-LIB leaves open, as the machine does: a variable more for each), copysign, fdim,
// the unordered comparisons. What is left:
//
//   operations   fadd fsub fmul fdiv fma sqrt fneg fabs remainder, floor ceil trunc round roundeven, fptrunc; the first
//                six and fptrunc in any rounding direction
//   comparisons  cmp_oeq cmp_olt cmp_ole
//   and every other form of a term.
#pragma once

#include "constraint/system.h"
#include "solve/solver.h"

#include <functional>
#include <string>

namespace faultline::solve {

struct SmtTerms {
  constraint::System system; // the variables of the original come first
  std::string obstacle;      // an operation that cannot be written so: the system is incomplete
  bool remainder = false;    // is there one?
  bool small_fma = false;    // in a format of less than 16 bits?
};

// Of an operation that rounds, to an integer or to a float.
numeric::Rounding rounding_of(const constraint::Node& node);

SmtTerms smt_terms(const constraint::System& original);

// Gives the question, in these terms, to a solver in a process of its own. The model is that of the question's
// variables.
Result ask_in_child(const Question& question, const SmtTerms& terms, const std::function<Result()>& solver);

// A solver's values of all variables: what it says about those that are Boolean, about the floats, and about words.
constraint::Model model_of(const constraint::System& system, const std::function<bool(constraint::Term)>& truth,
                           const std::function<numeric::Bits(constraint::Term)>& number,
                           const std::function<numeric::Bits(constraint::Term)>& word);

} // namespace faultline::solve
