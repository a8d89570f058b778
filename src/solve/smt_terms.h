// Rewrites a system in SMT-LIB's operations, for solvers that support them. Missing operations are expressed by others:
// min and max (SMT-LIB leaves their zeros open, as the machine does: one more variable for each), copysign, fdim, and
// the unordered comparisons. The remaining forms are:
//
//   operations   fadd fsub fmul fdiv fma sqrt fneg fabs remainder, floor ceil trunc round roundeven, fptrunc; the first
//                six and fptrunc in any rounding direction
//   comparisons  cmp_oeq cmp_olt cmp_ole
//   and all other forms of terms.
#pragma once

#include "constraint/system.h"
#include "solve/solver.h"

#include <functional>
#include <string>

namespace faultline::solve {

struct SmtTerms {
  System system;          // starts with the variables of the original
  std::string obstacle;   // an operation that cannot be expressed: the system is incomplete
  bool remainder = false; // the system contains a remainder
  bool small_fma = false; // in a format of less than 16 bits
};

SmtTerms smt_terms(const System& original);

// Gives the question, in these terms, to a solver in a separate process. The model is for the question's variables.
Result ask_in_child(const Question& question, const SmtTerms& terms, const std::function<Result()>& solver);

// Collects a solver's values of all variables: Booleans, floats, and words.
Model model_of(const System& system, const std::function<bool(Term)>& truth,
               const std::function<numeric::Bits(Term)>& number, const std::function<numeric::Bits(Term)>& word);

} // namespace faultline::solve
