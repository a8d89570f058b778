// How a test declares the function that it calls.
//
// A plain prototype is what a reader expects: double quadratic_root(double a, double b, double c);, in its namespace if
// it has one. It can be written if every parameter is a scalar, a pointer or reference to scalars, an array, or a
// pointer to a struct of scalars whose layout is certain, and if a scalar or nothing is returned. Fortran's functions
// are declared as C sees them. The types of a C++ function come from its mangled name, for they must make the same one.
//
// What C++ alone can name (a member, an instance of a template, any C++ function in a C file) is declared with a label:
// its symbol. What has no plain prototype at all is called through a block of bytes (report/tests/call_text.h).
#pragma once

#include "frontend/target.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::report {

// A type in a list of parameters.
struct ParameterType {
  enum class Form { value, pointer, reference, rows };

  Form form = Form::value;
  std::string base; // double
  bool constant = false;
  std::string extents; // of rows: [4][4] of double (*)[4][4]
};
// Of debug information (const double*) or of a demangled name (double const*). Nothing if it is more complicated.
std::optional<ParameterType> parameter_type(const std::string& text);

struct Argument {
  frontend::Parameter parameter;
  ParameterType type;
  std::string name;                   // in the test
  std::vector<size_t> rows;           // extents of an array of rows
  bool is_record = false;             // a pointer to a struct
  std::vector<frontend::Cell> fields; // of the struct
};

struct Prototype {
  std::vector<std::string> spaces; // the namespaces it is in
  std::string name;                // there
  std::string label;               // its symbol, where the name alone does not lead to it
  std::string result;              // the type
  std::vector<Argument> arguments;
  bool c_linkage = false; // declared extern "C" in C++
  bool declared_by_header = false;

  std::string called() const; // stats::mean
};

// Nothing if there is no plain one. `headers`: the test includes some that declare the function. `own_name`: what a
// function is called that is declared with a label.
std::optional<Prototype> prototype_of(const frontend::Target& target, bool cpp, bool headers,
                                      const std::string& own_name);

// The structs that it takes, as definitions, and the function; empty if a header has them.
std::vector<std::string> struct_definitions(const Prototype& prototype, bool cpp);
std::string prototype_text(const Prototype& prototype, bool cpp);

// The name of a struct as a type: struct point in C.
std::string record_type(const Argument& argument, bool cpp);

// What tests are linked with, where that is not just the code under test.

// "harness.cpp, which faultline harness h.cpp -f mean --size v=3 prints, instead of h.cpp, which it includes"; empty:
// no target has a harness.
std::string harness_hint(const std::vector<const frontend::Target*>& targets);

// A sentence if some are procedures of Fortran modules: each compiler has its own symbols for those, and these are
// flang's. Empty: none is.
std::string module_symbols_hint(const std::vector<const frontend::Target*>& targets);

} // namespace faultline::report
