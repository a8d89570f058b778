// A constraint system: conditions on floats, exactly as the machine computes.
//
// Terms are numbers in an acyclic graph: operands come before their users, so one pass from first to last evaluates all
// terms, and equal terms are the same term. A term is a variable, a constant, an operation of the table (ops/table.h),
// a comparison, a classification, Boolean structure or, in problems from files, a word of bits. A model (a value for
// each variable) satisfies the system if every assertion is true under it.
//
// `evaluate` (constraint/evaluate.h) alone defines the meaning of a term, and checks every solver. An `operation`
// rounds to nearest, ties to even, as programs do. Rounding in another direction is a separate form, `rounded`, so that
// it cannot be mistaken for the usual one. There is one NaN; both zeros are values. `same` is equality of values
// (SMT-LIB's =: NaN equals NaN, and the zeros differ); cmp_oeq is the machine's ==.
//
// Integers of programs need no sort: on a tape, the result of a conversion or an integer input is a float that equals
// its own rounding. Words are SMT-LIB's bit-vectors, of at most 128 bits.
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
  operation,      // a float from floats; a conversion is fptrunc for any two formats
  comparison,     // cmp_* of two floats of one format
  same,           // of two terms of one sort
  classification, // of a float
  conjunction,    // of two
  disjunction,    // of two
  negation,
  choice,           // if operand 0 then operand 1 else operand 2
  rounded,          // an operation in a direction other than to nearest, ties to even
  float_of_pattern, // the float that a word encodes
  float_of_integer, // the integer in a word, rounded
  integer_of_float, // the word with the value of a float; 0 if not an integer or out of range
  word,             // a word from words
  word_less         // of two words of one width
};

// SMT-LIB's classifications, in its order. `negative` and `positive` are false for NaN and distinguish the zeros.
enum class Class : uint8_t { normal, subnormal, zero, infinite, nan, negative, positive };
inline constexpr size_t class_count = size_t(Class::positive) + 1;

// Operations on words, modulo 2^width. quotient, rest and the shifts are SMT-LIB's bvudiv, bvurem, bvshl, bvlshr and
// bvashr.
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
inline constexpr size_t word_op_count = size_t(WordOp::extraction) + 1;

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
  ops::Op op = ops::Op::none; // for operations, rounded or not, and comparisons
  Class tested = Class::normal;
  Sort sort = {};
  std::array<Term, 3> operands = {}; // as many as operand_count
  Bits value = 0;                    // of a constant: its bits, or 0 or 1; of a variable: its index in the model
  numeric::Rounding rounding = numeric::Rounding::nearest_even; // of a `rounded` operation or an integer conversion
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
  Term constant(Bits bits, BinaryFormat format); // replaces every NaN by the canonical NaN
  Term constant(double value) { return constant(numeric::bits_of(value), numeric::binary64); }
  Term truth(bool value);
  Term word_constant(Bits bits, int width);
  Term constant_of(const Sort& sort, Bits value);

  // Terms over constants are folded; equal terms are reused. `operation` gives a term in the format of its first
  // operand; `convert` handles conversions. Operands must have the right sorts: readers of text check them.
  Term operation(ops::Op op, Term a, Term b = 0, Term c = 0);
  Term convert(Term a, BinaryFormat to, numeric::Rounding rounding = numeric::Rounding::nearest_even);
  // As `operation`, for one that rounds once: + - * / fma sqrt.
  Term rounded(ops::Op op, numeric::Rounding rounding, Term a, Term b = 0, Term c = 0);
  Term compare(ops::Op op, Term a, Term b);
  Term same(Term a, Term b);
  Term classify(Class tested, Term a);
  Term both(Term a, Term b);
  Term either(Term a, Term b);
  Term negate(Term a);
  Term choose(Term condition, Term then, Term otherwise);
  Term all(std::vector<Term> terms); // balanced, to keep the depth small
  Term any(std::vector<Term> terms);

  Term float_of_pattern(Term word, BinaryFormat format);
  Term float_of_integer(Term word, bool is_signed, BinaryFormat format, numeric::Rounding rounding);
  Term integer_of_float(Term a, int width, bool is_signed);
  Term word(WordOp op, Term a, Term b = 0); // neither concatenation nor extraction
  Term concatenate(Term high, Term low);
  Term extract(Term a, int low, int width);
  Term word_less(Term a, Term b, bool is_signed);

  // Adds the same node over other operands of this system, for copies from one system to another.
  Term rebuilt(const Node& node, const std::array<Term, 3>& operands);

  void assert_true(Term term);
  void retract_all(); // removes all assertions

  size_t size() const { return nodes_.size(); }
  const Node& node(Term term) const { return nodes_[term]; }
  const Sort& sort(Term term) const { return nodes_[term].sort; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Variable>& variables() const { return variables_; }
  // Conjunctions are split into their parts. A system with the assertion "false" has only that one.
  const std::vector<Term>& assertions() const { return assertions_; }

private:
  struct Hash {
    size_t operator()(const Node& node) const;
  };
  Term add(const Node& node);

  std::vector<Node> nodes_;
  std::vector<Variable> variables_;
  std::vector<Term> assertions_;
  std::unordered_set<Term> asserted_; // these, and the conjunctions that contained them
  std::unordered_map<Node, Term, Hash> known_;
};

// Returns whether the assertions need each term.
std::vector<bool> reached(const System& system);
// True if the assertions need a word.
bool reaches_words(const System& system);

// Operations on words of bits: SMT-LIB's theory of bit-vectors, up to 128 bits.
constexpr Bits word_mask(int width) { return width >= most_word_bits ? ~Bits{0} : (Bits{1} << width) - 1; }

// `width` is the result's, `first` the first operand's; an extraction begins at bit `low`.
Bits apply(WordOp op, int width, int first, int low, Bits a, Bits b);
bool less(Bits a, Bits b, int width, bool is_signed);

} // namespace faultline::constraint
