// The two case studies of FPSE's evaluation (ICST 2013), re-created: the papers name the functions and tell the sizes
// of their paths, not the code. Each path here is one of a C function in examples/fpse, statement for statement.
#pragma once

#include "constraint/system.h"

#include <string>
#include <string_view>

namespace faultline::suite {

// A path of a program as a constraint system, built the way symbolic execution does: one assignment after the other in
// three-address code, and the tests that the path passes.
//
// Constraints and variables are counted as FPSE counts them (ICST 2013): every assignment is a constraint and makes a
// variable, every test is a constraint, every input a variable. In the system itself an assigned variable is the term
// that was assigned, so a copy costs nothing there; the counts tell how large the program's path is.
class Path {
public:
  using Term = constraint::Term;

  explicit Path(numeric::BinaryFormat format) : format_(format) {} // binary32 or binary64

  Term number(std::string_view text); // a literal of the program, rounded once
  Term input(const std::string& name);
  Term input(const std::string& name, std::string_view value); // asserted to be this, so that the solver has to work

  Term assign(ops::Op op, Term a, Term b);
  Term add(Term a, Term b) { return assign(ops::Op::fadd, a, b); }
  Term subtract(Term a, Term b) { return assign(ops::Op::fsub, a, b); }
  Term multiply(Term a, Term b) { return assign(ops::Op::fmul, a, b); }
  Term divide(Term a, Term b) { return assign(ops::Op::fdiv, a, b); }
  Term copy(Term a); // x = y

  // The test `a op b` of the program has come out so.
  void test(ops::Op op, Term a, Term b, bool outcome = true);

  // What the program returns, or the value that is asked for.
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

// examples/fpse/dichotomic.c, unrolled: `depth` turns of the loop, each to the left, so that the lower end stays and
// the step is halved. Both ends and the level are inputs that nothing bounds. What bounds them is that the last step is
// small and not zero: near a large float there is no such step. Filtering by ULP-max knows, intervals do not.
enum class DichotomicPath {
  found,    // feasible
  too_large // the result lies beyond the range of the curve: infeasible
};
inline constexpr int deepest_dichotomic = 12;
Path dichotomic(int depth, DichotomicPath which);

// examples/fpse/tcas_task.c: three decisions with three outcomes each.
inline constexpr int tcas_paths = 27;
Path tcas(int number); // from 0
std::string tcas_name(int number);

} // namespace faultline::suite
