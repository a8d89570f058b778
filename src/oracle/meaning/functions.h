// The functions that an expression may call, by name as in mpmath: what each is, how many arguments it has, and how Arb
// computes it.
#pragma once

#include "numeric/complex_ball.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::oracle {

using Arguments = std::span<const numeric::ComplexBall>;

// No value: a pole, the end of a domain.
struct Undefined {
  std::string why;
};

// Where a function of complex arguments is analytic, which an integral has to know of its integrand.
enum class Analytic : uint8_t {
  everywhere, // but for poles, at which its ball is not finite
  off_cut,    // away from the real numbers up to 0, of the last argument; the others must be constant
  nowhere,    // for all we say
};

struct Function {
  const char* name;
  size_t fewest, most; // arguments
  Analytic analytic;
  const char* usage; // besselj(v, x): Bessel function of the first kind
  // Not finite where the precision does not tell. Throws Undefined.
  numeric::ComplexBall (*evaluate)(Arguments arguments, long precision);
};

const Function* find_function(std::string_view name);
std::vector<std::string> function_names();
std::vector<const Function*> all_functions(); // by family

// The families.
std::span<const Function> elementary_functions();
std::span<const Function> trigonometric_functions();
std::span<const Function> gamma_functions();
std::span<const Function> error_functions();
std::span<const Function> bessel_functions();
std::span<const Function> elliptic_functions();
std::span<const Function> hypergeometric_functions();
std::span<const Function> polynomial_functions();

} // namespace faultline::oracle
