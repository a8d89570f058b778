// What a C or C++ type is to a harness: how a value of it is made from numbers, and which numbers it is made of.
//
// A form is a tree whose leaves are scalars. A sequence whose length is free (std::vector, std::span, a dynamic matrix)
// has extents of 0: --size gives them.
#pragma once

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

} // namespace faultline::harness
