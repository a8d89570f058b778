// The declaration of the function that a test calls.
//
// A plain prototype has the usual form: double quadratic_root(double a, double b, double c);, in its namespace if it
// has one. It can be written if every parameter is a scalar, a pointer or reference to scalars, an array, or a pointer
// to a struct of scalars with a certain layout, and if the result is a scalar or void. Functions of Fortran are
// declared as in C. The types of a C++ function are those of its mangled name, so that the declaration has the same
// one.
//
// A function that only C++ can name (a member, an instance of a template, any C++ function in a C file) is declared
// with its symbol as a label. A function without a plain prototype is called through a block of bytes
// (report/tests/call_text.h).
#pragma once

#include "model/target.h"

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
// Parses a type of debug information (const double*) or of a demangled name (double const*). Nothing if it is more
// complicated.
std::optional<ParameterType> parameter_type(const std::string& text);

struct Argument {
  model::Parameter parameter;
  ParameterType type;
  std::string name;                // in the test
  std::vector<size_t> rows;        // extents of an array of rows
  bool is_record = false;          // a pointer to a struct
  std::vector<model::Cell> fields; // of the struct
};

struct Prototype {
  std::vector<std::string> spaces; // the enclosing namespaces
  std::string name;                // its name in them
  std::string label;               // its symbol if the name alone does not determine it
  std::string result;              // the type
  std::vector<Argument> arguments;
  bool c_linkage = false; // declared extern "C" in C++
  bool declared_by_header = false;

  std::string called() const; // stats::mean
};

// Returns nothing if there is no plain prototype. `headers`: the test includes headers that declare the function.
// `own_name`: the name of a function that is declared with a label.
std::optional<Prototype> prototype_of(const model::Target& target, bool cpp, bool headers, const std::string& own_name);

// Returns definitions of the structs that the function takes; empty if a header has them.
std::vector<std::string> struct_definitions(const Prototype& prototype, bool cpp);
std::string prototype_text(const Prototype& prototype, bool cpp);

// Returns the type name of a struct: struct point in C.
std::string record_type(const Argument& argument, bool cpp);

std::string file_name(const std::string& file); // without its folder

// The files to link tests with, in addition to the code under test.

// "harness.cpp, which faultline harness h.cpp -f mean --size v=3 prints, instead of h.cpp, which it includes". Empty if
// no target has a harness.
std::string harness_hint(const std::vector<const model::Target*>& targets);

// The file of sizes that this command reads, as a comment, if functions have parameters of one name and different
// sizes; else empty.
std::string harness_sizes(const std::vector<const model::Target*>& targets);

// A sentence if some targets are procedures of Fortran modules: each compiler has its own symbols for them, and these
// are flang's. Empty if there are none.
std::string module_symbols_hint(const std::vector<const model::Target*>& targets);

} // namespace faultline::report
