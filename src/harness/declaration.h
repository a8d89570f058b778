// A function of C or C++ as its source declares it: what a harness needs to call it.
#pragma once

#include "harness/form.h"

#include <map>
#include <string>
#include <vector>

namespace faultline::harness {

enum class How {
  value,
  constant,
  changed
}; // by value or rvalue; const reference or pointer to const; reference, pointer

struct Argument {
  std::string name;
  Form form;
  How how = How::value;
  bool plain = false;   // scalars, pointers and references to them: passed on as they are
  std::string declared; // the type in full, for a parameter that is passed on: "const double*"
};

struct Declaration {
  std::string name;   // stats::mean, Circle::area, stats::ratio<double>
  std::string symbol; // as the linker has it; empty if nobody has instantiated it
  std::string call;   // what stands before the parentheses: "stats::mean"; for a member, its name alone
  std::string file;
  unsigned line = 0;
  std::vector<Argument> arguments;
  Form result;
  bool returns_nothing = false;
  bool member = false;    // the first argument is the object
  bool instance = false;  // of a template that nobody has instantiated but us
  bool own_symbol = true; // others can call it by its symbol: not inline, not a template, not static
  std::string obstacle;   // why it cannot be called; empty: it can
};

// The extents that a C array parameter is declared with: double p[3], double a[n][4] (0 where they are no constants).
struct ConstantExtents {
  std::string symbol, parameter;
  std::vector<long> extents;
};

struct Declarations {
  std::vector<Declaration> functions;
  std::vector<ConstantExtents> extents;
};

enum class Language { c, cxx };

} // namespace faultline::harness
