// A reference function that the user supplies (--reference FILE:FUNCTION): what the target should compute. It is code
// like any other, so it runs in the worker, under guard. Its parameters are the target's inputs in order, and it is one
// of
//
//   void f(mpfr_t result, const mpfr_t x, ...)   evaluated at the precision of its arguments
//   __float128 f(__float128 x, ...)              113 bits
//   double f(double x, ...)                      a double (or long double) version that is known to be good
#pragma once

#include "exec/session.h"
#include "frontend/program.h"

#include <memory>
#include <string>

namespace faultline::exec {

// CPU time that one evaluation may take. As long as a lifted run may (Limits::lifted_seconds), whose place it takes.
inline constexpr double reference_seconds = 10;

class Reference {
public:
  // Throws UserError if the file does not compile or the function is none of the above.
  static Reference load(const frontend::Sources& sources, const std::string& function, size_t inputs,
                        double seconds = reference_seconds);
  Reference(Reference&&) noexcept;
  ~Reference();

  // Is the precision of the answer ours to choose?
  bool any_precision() const;

  // Compiles on first use. The outcome is not `returned` if the reference itself fails. `flight` lets the supervisor
  // see that it is the reference that does not come back.
  Outcome evaluate(const Input& input, long precision, numeric::BigFloat& result, Flight* flight);

private:
  struct Implementation;
  explicit Reference(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

} // namespace faultline::exec
