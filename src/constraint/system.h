// A constraint system: what must hold of some floats, exactly as the machine computes.
//
// Terms form a graph without cycles, each a number: operands come before their users, so one pass from the first to the
// last evaluates them all, and equal terms are the same term. A term is a variable, a constant, an operation of the
// table (ops/table.h), a comparison, a classification, or Boolean structure; and, in problems from files, a word of
// bits. The system is satisfied by a model (a value for each variable) under which every assertion is true.
//
// The meaning of a term is `evaluate` (constraint/evaluate.h), and nothing else: whatever a solver answers is measured
// by it. An `operation` rounds to nearest, ties to even, as programs do; one that rounds in another direction is
// `rounded`, a form of its own, so that nobody takes it for the usual one by not asking. There is one NaN; both zeros
// are values. `same` is equality of values (SMT-LIB's =: NaN is the same as NaN, and the zeros differ), cmp_oeq is the
// machine's ==.
//
// Integers of programs need no sort of their own: what a tape knows of them, a conversion's result or an integer input,
// is a float that equals its own rounding. Words are SMT-LIB's bit-vectors, of at most 128 bits.
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
  choice,           // if operand 0 then operand 1 else operand 2
  rounded,          // an operation that rounds in another direction than to nearest, ties to even
  float_of_pattern, // the float that a word holds
  float_of_integer, // the integer that a word holds, rounded
  integer_of_float, // the word that holds an integer; 0 where the float is none, or none of the width
  word,             // a word from words
  word_less         // of two words of one width
};

// SMT-LIB's classifications, in its order. `negative` and `positive` are false for NaN, and tell the zeros apart.
enum class Class : uint8_t { normal, subnormal, zero, infinite, nan, negative, positive };

// Of words, modulo 2^width; SMT-LIB's bvudiv, bvurem, bvshl, bvlshr and bvashr are quotient, rest and the shifts.
enum class WordOp : uint8_t {
  none,
  complement,
  conjunction,
  disjunction,
  exclusion,
  sum,
  difference,
  product,
  quotient, // by zero: all ones
  rest,     // by zero: the dividend
  shift_left,
  shift_right,
  shift_right_signed,
  concatenation, // the first operand is the high part
  extraction     // from the bit `value` up
};

struct Sort {
  bool boolean = false;
  BinaryFormat format = {}; // of a float
  int width = 0;            // of a word

  bool is_word() const { return width > 0; }
  bool is_float() const { return !boolean && width == 0; }
  bool operator==(const Sort&) const = default;
};
inline constexpr Sort boolean_sort{true, {}};
constexpr Sort float_sort(BinaryFormat format) { return {false, format}; }
inline constexpr int most_word_bits = 128;
constexpr Sort word_sort(int width) { return {false, {}, width}; }

struct Node {
  Form form = Form::constant;
  ops::Op op = ops::Op::none; // of operations, rounded or not, and comparisons
  Class tested = Class::normal;
  Sort sort = {};
  std::array<Term, 3> operands = {}; // as many as operand_count
  Bits value = 0;                    // of a constant: its bits, or 0 and 1; of a variable: its place in the model
  numeric::Rounding rounding = numeric::Rounding::nearest_even; // of what is rounded, or of an integer
  WordOp word = WordOp::none;
  bool is_signed = false; // of words as integers

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
  Term word_constant(Bits bits, int width);
  Term constant_of(const Sort& sort, Bits value);

  // Terms over constants alone are folded, equal terms found again. `operation` gives a term of its operands' format
  // (that of the first); conversions go by `convert`. Operands must be of the right sorts: whoever reads text checks.
  Term operation(ops::Op op, Term a, Term b = 0, Term c = 0);
  Term convert(Term a, BinaryFormat to, numeric::Rounding rounding = numeric::Rounding::nearest_even);
  // As `operation`, of one that rounds once: + - * / fma sqrt.
  Term rounded(ops::Op op, numeric::Rounding rounding, Term a, Term b = 0, Term c = 0);
  Term compare(ops::Op op, Term a, Term b);
  Term same(Term a, Term b);
  Term classify(Class tested, Term a);
  Term both(Term a, Term b);
  Term either(Term a, Term b);
  Term negate(Term a);
  Term choose(Term condition, Term then, Term otherwise);
  Term all(std::vector<Term> terms); // balanced, so that depth stays small
  Term any(std::vector<Term> terms);

  Term float_of_pattern(Term word, BinaryFormat format);
  Term float_of_integer(Term word, bool is_signed, BinaryFormat format, numeric::Rounding rounding);
  Term integer_of_float(Term a, int width, bool is_signed);
  Term word(WordOp op, Term a, Term b = 0); // neither concatenation nor extraction
  Term concatenate(Term high, Term low);
  Term extract(Term a, int low, int width);
  Term word_less(Term a, Term b, bool is_signed);

  // The same node over other operands, terms of this system: for whoever copies terms from one system to another.
  Term rebuilt(const Node& node, const std::array<Term, 3>& operands);

  void assert_true(Term term);
  void retract_all(); // there are no assertions any more

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

// Which terms the assertions need.
std::vector<bool> reached(const System& system);
// Is a word among them?
bool reaches_words(const System& system);

// What operations on words of bits mean: SMT-LIB's theory of bit-vectors, up to 128 bits.
constexpr Bits word_mask(int width) { return width >= most_word_bits ? ~Bits{0} : (Bits{1} << width) - 1; }

// `width` is the result's, `first` the first operand's; an extraction begins at bit `low`.
Bits apply(WordOp op, int width, int first, int low, Bits a, Bits b);
bool less(Bits a, Bits b, int width, bool is_signed);

} // namespace faultline::constraint
