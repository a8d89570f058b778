// What a C or C++ type is to a harness: how a value of it is made from numbers, and which numbers it is made of.
//
// A form is a tree whose leaves are scalars. A sequence whose length is free (std::vector, std::span, a dynamic matrix)
// has extents of 0: --size gives them.
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
  record,   // a struct whose fields can be listed in braces
  tuple,    // std::pair, std::tuple
  optional,
  object,   // a class that is made by a constructor
  function, // a function pointer, std::function
  other,    // nothing that a harness can make: `reason` says why
};

struct Form {
  FormKind kind = FormKind::other;
  std::string type = {};               // as code has it, without const and reference
  bool floating = false;               // of a scalar
  std::vector<Form> parts = {};        // elements (one form), fields, arguments of the constructor or the function
  std::vector<std::string> names = {}; // of the parts of a record or an object
  std::vector<long> extents = {};      // of an array, a sequence (0), a matrix
  std::string storage = {};            // the type that holds the numbers of a std::span, Eigen::Ref or Eigen::Map
  std::string reason = {};

  bool is(FormKind other) const { return kind == other; }
};

// The scalars of which a value is made, in their order, for one element of a sequence: the types, and the names behind
// that of the parameter (".real").
struct Leaf {
  std::string type = {};
  bool floating;
  std::string name = {};
};

// Of a value without free lengths inside; of a sequence or a matrix those of one element. False: there are free
// lengths further inside, or too many leaves.
bool leaves_of(const Form& form, const std::string& name, std::vector<Leaf>& leaves);

// The sequence, array or matrix that the value is, or is a stack of: std::vector<std::vector<double>> has two levels.
// What is left is the element.
struct Levels {
  std::vector<const Form*> stack = {};
  const Form* element;
};
Levels levels_of(const Form& form);

// Why a value of this form cannot be made; empty: it can.
std::string obstacle_of(const Form& form);

// A function of C or C++ as its source declares it: what a harness needs to call it.
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

// Strings of libclang, as values; names and types as code can have them.
std::string text_of(CXString string);

// A type as it can be written anywhere: without typedefs, const and references.
std::string type_text(CXType type);

// std::vector, stats::Circle: with its namespaces and classes, but for inline and unnamed ones; no template arguments.
std::string qualified_name(CXCursor cursor);

bool is_same(CXCursor a, CXCursor b);

std::vector<CXCursor> children_of(CXCursor cursor);

// Splits at the commas that are in no brackets: "double, std::array<int, 3>" has two parts.
std::vector<std::string> split_arguments(const std::string& text);

} // namespace faultline::harness
