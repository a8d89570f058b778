// A constraint system: what must hold of some floats, exactly as the machine computes.
//
// Terms form a graph without cycles, each a number: operands come before their users, so one pass from the first to the
// last evaluates them all, and equal terms are the same term. A term is a variable, a constant, an operation of the
// table (ops/table.h), a comparison, a classification, or Boolean structure. The system is satisfied by a model (a
// value for each variable) under which every assertion is true.
//
// The meaning of a term is `evaluate` (constraint/evaluate.h), and nothing else: whatever a solver answers is measured
// by it. Rounding is to nearest, ties to even. There is one NaN; both zeros are values. `same` is equality of values
// (SMT-LIB's =: NaN is the same as NaN, and the zeros differ), cmp_oeq is the machine's ==.
//
// Integers need no sort of their own: what a tape knows of them, a conversion's result or an integer input, is a float
// that equals its own rounding.
#pragma once

#include "numeric/binary.h"
#include "ops/op.h"

#include <array>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace faultline::constraint {

using numeric::BinaryFormat;
using numeric::Bits;
using Term = uint32_t;

enum class Form : uint8_t {
  variable,
  constant,
  operation,      // a float from floats; a conversion is fptrunc, whatever the two formats
  comparison,     // cmp_* of two floats of one format
  same,           // of two terms of one sort
  classification, // of a float
  conjunction,    // of two
  disjunction,    // of two
  negation,
  choice // if operand 0 then operand 1 else operand 2
};

// SMT-LIB's classifications, in its order. `negative` and `positive` are false for NaN, and tell the zeros apart.
enum class Class : uint8_t { normal, subnormal, zero, infinite, nan, negative, positive };

struct Sort {
  bool boolean = false;
  BinaryFormat format = {}; // of a float

  bool operator==(const Sort&) const = default;
};
inline constexpr Sort boolean_sort{true, {}};
constexpr Sort float_sort(BinaryFormat format) { return {false, format}; }

struct Node {
  Form form = Form::constant;
  ops::Op op = ops::Op::none; // of operations and comparisons
  Class tested = Class::normal;
  Sort sort;
  std::array<Term, 3> operands = {}; // as many as operand_count
  Bits value = 0;                    // of a constant: its bits, or 0 and 1; of a variable: its place in the model

  bool operator==(const Node&) const = default;
};

int operand_count(const Node& node);

struct Variable {
  std::string name;
  Term term = 0;
};

// A value for each variable: the bits of a float, or 0 and 1.
using Model = std::vector<Bits>;

class System {
public:
  Term variable(std::string name, Sort sort);
  Term constant(Bits bits, BinaryFormat format); // a NaN becomes the NaN
  Term constant(double value) { return constant(numeric::bits_of(value), numeric::binary64); }
  Term truth(bool value);

  // Terms over constants alone are folded, equal terms found again. `operation` gives a term of its operands' format
  // (that of the first); conversions go by `convert`. Operands must be of the right sorts: whoever reads text checks.
  Term operation(ops::Op op, Term a, Term b = 0, Term c = 0);
  Term convert(Term a, BinaryFormat to);
  Term compare(ops::Op op, Term a, Term b);
  Term same(Term a, Term b);
  Term classify(Class tested, Term a);
  Term both(Term a, Term b);
  Term either(Term a, Term b);
  Term negate(Term a);
  Term choose(Term condition, Term then, Term otherwise);
  Term all(std::vector<Term> terms); // balanced, so that depth stays small
  Term any(std::vector<Term> terms);

  void assert_true(Term term);

  size_t size() const { return nodes_.size(); }
  const Node& node(Term term) const { return nodes_[term]; }
  const Sort& sort(Term term) const { return nodes_[term].sort; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Variable>& variables() const { return variables_; }
  // Conjunctions are taken apart: each is something else. A system that was told "false" has that one.
  const std::vector<Term>& assertions() const { return assertions_; }

private:
  struct Hash {
    size_t operator()(const Node& node) const;
  };
  Term add(const Node& node);

  std::vector<Node> nodes_;
  std::vector<Variable> variables_;
  std::vector<Term> assertions_;
  std::unordered_set<Term> asserted_; // these, and the conjunctions they were taken from
  std::unordered_map<Node, Term, Hash> known_;
};

} // namespace faultline::constraint
