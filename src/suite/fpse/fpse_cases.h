// The two case studies of FPSE's evaluation (ICST 2013), re-created: the papers name the functions and the sizes of
// their paths, but do not contain the code. Each path here is one of a C function in examples/fpse, statement by
// statement.
#pragma once

#include "constraint/system.h"

#include <string>
#include <string_view>

namespace faultline::suite {

// A path of a program as a constraint system, built as in symbolic execution: assignments in three-address code, and
// the tests that the path passes.
//
// Constraints and variables are counted as in FPSE (ICST 2013): every assignment is a constraint and makes a variable,
// every test is a constraint, and every input is a variable. In the system, an assigned variable is the assigned term,
// so a copy costs nothing; the counts give the size of the program's path.
class Path {
public:
  using Term = constraint::Term;

  explicit Path(numeric::BinaryFormat format) : format_(format) {} // binary32 or binary64

  Term number(std::string_view text); // a literal of the program, rounded once
  Term input(const std::string& name);
  Term input(const std::string& name,
             std::string_view value); // asserted to have this value, so that the solver must work

  Term assign(ops::Op op, Term a, Term b);
  Term add(Term a, Term b) { return assign(ops::Op::fadd, a, b); }
  Term subtract(Term a, Term b) { return assign(ops::Op::fsub, a, b); }
  Term multiply(Term a, Term b) { return assign(ops::Op::fmul, a, b); }
  Term divide(Term a, Term b) { return assign(ops::Op::fdiv, a, b); }
  Term copy(Term a); // x = y

  // Adds the outcome of the program's test `a op b`.
  void test(ops::Op op, Term a, Term b, bool outcome = true);

  // Sets the result of the program, or the value in question.
  void returns(Term term) { result_ = term; }
  Term result() const { return result_; }

  numeric::BinaryFormat format() const { return format_; }
  const constraint::System& system() const { return system_; }
  size_t constraints() const { return constraints_; }
  size_t variables() const { return variables_; }

private:
  numeric::BinaryFormat format_;
  constraint::System system_;
  size_t constraints_ = 0, variables_ = 0;
  Term result_ = 0;
};

// examples/fpse/dichotomic.c, unrolled: `depth` iterations of the loop, each to the left, so that the lower end stays
// and the step is halved. Both ends and the level are inputs without bounds. They are bounded because the last step is
// small and not zero: near a large float there is no such step. Filtering by ULP-max finds this; intervals do not.
enum class DichotomicPath {
  found,    // feasible
  too_large // the result is outside of the range of the curve: infeasible
};
inline constexpr int deepest_dichotomic = 12;
Path dichotomic(int depth, DichotomicPath which);

// examples/fpse/tcas_task.c: three decisions with three outcomes each.
inline constexpr int tcas_paths = 27;
Path tcas(int number); // `number` counts from 0
std::string tcas_name(int number);

} // namespace faultline::suite
