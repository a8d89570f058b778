// The functions of the GSL suite: the one-argument functions of the ATOMU study, and all functions of several arguments
// that there is a reference for.
#pragma once

#include "suite/gsl/published.h"

#include <map>
#include <string>
#include <vector>

namespace faultline::suite {

using Held = std::map<std::string, long double>; // by input
std::string text(const Held& held);              // n=8 mode=0

struct GslFunction {
  std::string name;
  int arguments = 1;  // one: of ATOMU's study; a precision mode does not count
  Held held;          // integer inputs: orders of a function, and the precision mode
  GslFigures figures; // of others; none for functions of several arguments

  bool one_argument() const { return arguments == 1; }
};

enum class Arity { one, several, all };

struct GslFunctions {
  std::vector<GslFunction> functions;
  std::vector<std::string> left_out; // "gsl_sf_foo: why": there is a reference, but it cannot be hunted in
};

// Looks into the library for the inputs. `names` chooses some; empty: all. Throws frontend::UserError: the library
// lacks a one-argument function, or a name is not in the suite.
GslFunctions gsl_functions(const std::string& library, const GslPublished& published, Arity arity,
                           const std::vector<std::string>& names);

} // namespace faultline::suite
