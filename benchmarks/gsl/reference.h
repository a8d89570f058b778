// Exact values of GSL's special functions, to score what a hunt reports: computed double against the truth.
//
// The lifted oracle carries out GSL's own formulas exactly, so it cannot see a wrong formula. These references know
// nothing of GSL but its definitions: each function is written down in ball arithmetic (Arb), in which a result is an
// interval that is proved to hold the value, and the precision is doubled until the interval is narrow. Definitions,
// sign conventions and domains are those of GSL's manual and of its source; the list covers the 107 one-argument
// functions of published/gsl_univariate.csv and those of more arguments for which Arb has a counterpart.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "numeric/bigfloat.h"

namespace faultline::benchmarks {

struct Exact {
  // pole: one inside the domain, where the function of the neighbouring arguments grows without bound (gamma, psi and
  // their kin at 0, -1, -2, ...). undefined: outside the domain on which GSL defines the function, or at its end; an
  // argument that is no finite number, or no integer where the C function takes one. unknown: the ball stayed wide, or
  // it would take too long; or there is no such reference.
  enum class Kind { value, pole, undefined, unknown };
  Kind kind = Kind::unknown;
  // Exactly 0 if the value is; otherwise with a relative error below 2^-100. What is too large or too small even for
  // MPFR's exponents is an infinity or a zero of its sign.
  numeric::BigFloat value{192};
};

class Ball;
struct Arguments;
// No ball: undefined.
using Formula = std::optional<Ball> (*)(const Arguments&);

struct GslReference {
  const char* function;
  int arguments;
  Formula formula;
};

// The one list.
const std::vector<GslReference>& gsl_references();

bool has_gsl_reference(std::string_view function);
// `arguments`: as the C function takes them, integers as doubles; gsl_mode_t arguments are left out.
Exact gsl_reference(std::string_view function, std::span<const double> arguments);

} // namespace faultline::benchmarks
