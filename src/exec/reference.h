// A reference function that the user supplies (--reference FILE:FUNCTION) and that computes the correct result of the
// target. It runs in the worker, under guard, like any other code. Its parameters are the target's inputs in order. It
// has one of these forms:
//
//   void f(mpfr_t result, const mpfr_t x, ...)   evaluated at the precision of its arguments
//   __float128 f(__float128 x, ...)              113 bits
//   double f(double x, ...)                      a double (or long double) version that is known to be accurate
#pragma once

#include "exec/session.h"
#include "program/program.h"

#include <memory>
#include <string>

namespace faultline::exec {

// CPU time of one evaluation, equal to that of the lifted run (Limits::lifted_seconds) which it replaces.
inline constexpr double reference_seconds = 10;

class Reference {
public:
  // Throws UserError if the file does not compile or the function has another form.
  static Reference load(const program::Sources& sources, const std::string& function, size_t inputs,
                        double seconds = reference_seconds);
  // The exact value of an output of a function: lifted execution of its own code. A session is made on first use.
  static Reference of_code(program::Program program, const model::Target& target, size_t output, const Limits& limits,
                           const std::vector<std::string>& rejects);
  Reference(Reference&&) noexcept;
  ~Reference();

  // True if the caller may choose the precision of the result.
  bool any_precision() const;

  // Compiles on first use. The outcome is not `returned` if the reference itself fails. Through `progress` the
  // supervisor can see that the reference hangs.
  // `error`: of the result, if it is known to be worse than its precision.
  Outcome evaluate(const Input& input, long precision, numeric::BigFloat& result, CallInProgress* progress,
                   ops::ErrorExponent* error = nullptr);

  // The session of a reference that is made of code; null for others.
  Session* session();

private:
  struct Implementation;
  explicit Reference(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

} // namespace faultline::exec
