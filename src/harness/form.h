// The form of a C or C++ type in a harness: how its values are made from numbers, and the numbers that they consist of.
//
// A form is a tree whose leaves are scalars. A sequence with a free length (std::vector, std::span, a dynamic matrix)
// has extents of 0, which --size sets.
#pragma once

#include <clang-c/Index.h>
#include <map>
#include <string>
#include <vector>

namespace faultline::harness {

enum class FormKind {
  scalar,
  complex,
  array,    // double[3][3], std::array: extents are known
  sequence, // std::vector, std::span, std::valarray
  matrix,   // of Eigen: rows and columns
  record,   // a struct that can be initialised by a list in braces
  tuple,    // std::pair, std::tuple
  optional,
  object,   // a class with a usable constructor
  function, // a function pointer, std::function
  other,    // not supported in a harness: `reason` says why
};

struct Form {
  FormKind kind = FormKind::other;
  std::string type = {};               // in code, without const and reference
  bool floating = false;               // of a scalar
  std::vector<Form> parts = {};        // elements (one form), fields, arguments of the constructor or the function
  std::vector<std::string> names = {}; // of the parts of a record or an object
  std::vector<long> extents = {};      // of an array, a sequence (0), a matrix
  std::string storage = {};            // the type that stores the numbers of a std::span, Eigen::Ref or Eigen::Map
  std::string reason = {};

  bool is(FormKind other) const { return kind == other; }
};

// The scalars of a value in order, for one element of a sequence: their types, and their names after the parameter's
// (".real").
struct Leaf {
  std::string type = {};
  bool floating;
  std::string name = {};
};

// Lists the leaves of a value without free lengths inside; for a sequence or a matrix, those of one element. False if
// there are free lengths further inside or too many leaves.
bool leaves_of(const Form& form, const std::string& name, std::vector<Leaf>& leaves);

// The nested sequences, arrays or matrices of a value: std::vector<std::vector<double>> has two levels. The rest is the
// element.
// What is left is the element.
struct Levels {
  std::vector<const Form*> stack = {};
  const Form* element;
};
Levels levels_of(const Form& form);

// Returns why a value of this form cannot be made; empty if it can.
std::string obstacle_of(const Form& form);

enum class PassedBy {
  value,    // or by rvalue
  constant, // const reference, or pointer to const
  changed   // reference, pointer
};

struct Argument {
  std::string name;
  Form form;
  PassedBy passed_by = PassedBy::value;
  bool plain = false;   // scalars, pointers and references to them: passed unchanged
  std::string declared; // the full type, for a parameter that is passed unchanged: "const double*"
};

// A public member function that a harness may call before or after the function: it takes numbers alone.
struct MemberCall {
  std::string name;
  std::vector<Argument> arguments = {};
  Form result = {};
};

// A C or C++ function as its source declares it: the information that a harness needs to call it.
struct Declaration {
  std::string name;   // stats::mean, Circle::area, stats::ratio<double>
  std::string symbol; // of the linker; empty if it is not instantiated
  std::string call;   // the text before the parentheses: "stats::mean"; for a member, its name alone
  std::string file;
  unsigned line = 0;
  std::vector<Argument> arguments;
  Form result;
  bool returns_nothing = false;
  bool member = false; // the first argument is the object
  // Of a member of a class that its constructors make: the calls that change an object's state, and those that show it.
  std::vector<MemberCall> changers = {}, observers = {};
  bool instance = false;  // of a template that only the harness instantiates
  bool own_symbol = true; // other files can call it by its symbol: not inline, not a template, not static
  std::string obstacle;   // why it cannot be called; empty if it can
};

// The declared extents of a C array parameter: double p[3], double a[n][4] (0 if not constant).
struct ConstantExtents {
  std::string symbol, parameter;
  std::vector<long> extents;
};

struct Declarations {
  std::vector<Declaration> functions;
  std::vector<ConstantExtents> extents;
  std::vector<std::string> read; // the files that were parsed
};

enum class Language { c, cxx };

// Converts libclang's strings; names and types are valid in code.
std::string text_of(CXString string);

// Returns a type that is valid in any scope: without typedefs, const and references.
std::string type_text(CXType type);

// Returns a name with its namespaces and classes, except inline and unnamed ones, without template arguments:
// std::vector, stats::Circle.
std::string qualified_name(CXCursor cursor);

bool is_same(CXCursor a, CXCursor b);

std::vector<CXCursor> children_of(CXCursor cursor);

// Splits at commas outside of brackets: "double, std::array<int, 3>" has two parts.
std::vector<std::string> split_arguments(const std::string& text);

} // namespace faultline::harness
