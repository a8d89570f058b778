// The value of an SMT-LIB expression while a script is read, with its sort.
//
// Booleans, floats and words (bit-vectors) are terms of the system. Rounding modes and comparisons of reals are built
// from terms; reals themselves are not terms.
#pragma once

#include "base/error.h"
#include "constraint/system.h"
#include "numeric/binary.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <gmpxx.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <variant>

namespace faultline::constraint {

// Values that SMT-LIB leaves open, as variables of the system: a function of the standard has a value everywhere. Where
// the standard does not define it, any value is possible, but always the same for the same operands.
//
//   fp.min, fp.max      of zeros of different sign: either zero, a Boolean for each format and order
//   fp.to_ubv, to_sbv   of NaN, infinities and numbers out of range: a word for each use, and equal operands give equal
//                       words
//   fp.to_ieee_bv       of NaN: one of the words that hold it, for each format
//   fp.to_real          of NaN and infinities: a real for each format and each of the three
//
// A formula with these variables is satisfiable exactly if it is satisfiable for some choice, so unsat holds for all
// choices. This class collects the conditions on the variables; they hold at every point of the script.
class Unspecified {
public:
  explicit Unspecified(System& system) : system_(system) {}

  // For +0 and -0 in this order, or for -0 and +0.
  Term zero_is_negative(bool maximum, BinaryFormat format, bool positive_first);
  // `rounded`: the operand, rounded to an integer. The word also depends on the mode.
  Term word_of(Term operand, numeric::Rounding rounding, int width, bool is_signed);
  // Returns a word that encodes NaN.
  Term pattern_of_nan(BinaryFormat format);
  // Returns a new variable.
  Term variable(const Sort& sort);

  void require(Term condition) { conditions_.push_back(condition); }
  const std::vector<Term>& conditions() const { return conditions_; }

  // Number of pairs of operands compared so far, which grows with the square of the uses.
  size_t pairs() const { return pairs_; }
  static constexpr size_t most_pairs = 500'000;

private:
  using Kind = std::tuple<int, int, numeric::Rounding, int, bool>; // format, rounding, width, signed
  struct Use {
    Term operand, word;
  };

  System& system_;
  std::map<std::tuple<bool, int, int, bool>, Term> zeros_;
  std::map<Kind, std::vector<Use>> words_;
  std::map<std::pair<int, int>, Term> patterns_; // of NaN, by format
  std::vector<Term> conditions_;
  size_t pairs_ = 0, count_ = 0;
};

// Rounding modes of a script: constants, variables and choices between them.
//
// A mode is four Booleans, tested in sequence: RNE, else RNA, else RTP, else RTN; else it is RTZ. So a variable of sort
// RoundingMode is four unconstrained Boolean variables, and an operation in an unknown mode is a choice between its
// five versions. Solvers need no support for variable modes.
using numeric::Rounding;

struct Mode {
  std::array<Term, numeric::rounding_count - 1> tests = {};

  bool operator==(const Mode&) const = default;
};

Mode mode_constant(System& system, Rounding rounding);
Mode mode_variable(System& system, const std::string& name);
Mode choose(System& system, Term condition, const Mode& then, const Mode& otherwise);
Term same(System& system, const Mode& a, const Mode& b);

// Returns the result of `make` for the mode that holds. Calls `make` only for modes that may hold.
Term by_mode(System& system, const Mode& mode, const std::function<Term(Rounding)>& make);

// `values` are those of all terms.
Rounding mode_in(const Mode& mode, const std::vector<Bits>& values);

std::optional<Rounding> find_mode(std::string_view name); // RNE, or roundNearestTiesToEven
std::string_view name(Rounding rounding);                 // RNE

// SMT-LIB literals that are converted to floats: reals and bit-vectors.
//
// A real is a fraction, rounded once at its conversion: 0.1 is not a float, and an intermediate rounding could move a
// value onto the midpoint of two floats.
using numeric::BinaryFormat;
using numeric::Bits;

using Rational = mpq_class;

// Limits on the digits of a literal and on the total bits of a quotient. Without them, a script could square a number
// with every line.
inline constexpr size_t most_digits = 20'000;
inline constexpr size_t most_rational_bits = 200'000;

Rational rational(std::string_view text); // 12 or 1.5
size_t bits_needed(const Rational& value);

// A negative number that rounds to zero gives -0, as in the machine; zero itself gives +0.
Bits rounded_bits(const Rational& value, BinaryFormat format, numeric::Rounding rounding);
inline Bits nearest_bits(const Rational& value, BinaryFormat format) {
  return rounded_bits(value, format, numeric::Rounding::nearest_even);
}

struct BitVector {
  int width = 0; // at most most_width
  Bits bits = 0;

  bool operator==(const BitVector&) const = default;
  static constexpr int most_width = 128;
};

// None if the literal is wider than most_width.
std::optional<BitVector> binary_literal(std::string_view digits);
std::optional<BitVector> hexadecimal_literal(std::string_view digits);
// (_ bvN width): none also if N needs more bits.
std::optional<BitVector> numbered_literal(std::string_view number, int width);

// SMT-LIB 2.6 as tokens (section 3.1 of the standard), with the error messages of its readers.
//
// The text is not copied: a token is a view of it, so the text must outlive the tokens. A position is one number, an
// offset into the text; line and column are computed only for errors. This makes it cheap to go back, which each use of
// a definition with parameters does (constraint/smtlib/script_reader.h).
//
// Bytes that are not text are errors everywhere, except that comments, strings and quoted symbols may contain any
// UTF-8.
struct Token {
  enum class Kind : uint8_t {
    open,
    close,
    symbol,
    quoted,      // a |symbol|; the text is without the bars
    keyword,     // with its colon
    numeral,     // 12
    decimal,     // 1.5
    binary,      // #b01; the text is without #b
    hexadecimal, // #xff; the text is without #x
    string,      // with its quotes
    end
  };
  Kind kind = Kind::end;
  std::string_view text = {};
  size_t at = 0;

  bool is_name() const { return kind == Kind::symbol || kind == Kind::quoted; }
  // True for a reserved word; a |quoted| symbol is none.
  bool is_word(std::string_view word) const { return kind == Kind::symbol && text == word; }
};

class Lexer {
public:
  // `file` is for messages.
  Lexer(std::string_view text, std::string file);

  Token next(); // throws base::UserError, like all functions here
  Token peek();
  size_t at() const { return at_; }
  void seek(size_t at) { at_ = at; }

  // `what` describes the expected token in error messages.
  void expect_open(const char* what);
  void expect_close(const char* what);
  Token expect_name(const char* what);
  // Reads a numeral of at most nine digits.
  int expect_number(const char* what);

  // Skips the rest of an expression after its opening parenthesis, or a whole expression.
  void skip_to_close(size_t opened_at);
  void skip_expression();

  // Throws FILE:LINE:COLUMN: what.
  [[noreturn]] void fail(size_t at, const std::string& what, const std::string& hint) const;

private:
  void skip_blanks();
  Token quoted();
  Token string();
  Token number();
  Token literal();

  Token taken(Token::Kind kind, size_t begin, size_t end, size_t cut_left = 0, size_t cut_right = 0);

  std::string_view text_;
  std::string file_;
  size_t at_ = 0;
};

// True for a word of the language, which cannot name anything unless it is |quoted|.
bool is_reserved_word(std::string_view word);
// True if the name needs no bars in a script.
bool is_simple_symbol(std::string_view name);

// For messages: short, printable, quoted; the end of the file is described in words.
std::string shown(const Token& token);
using base::shown;

// Reals of a script: literals, which are exact fractions, and fp.to_real of floats. They may be compared and rounded to
// floats. Arithmetic is limited to literals.
//
// A finite float is compared as a float: with another float in a format that holds both, with a literal through the
// greatest float that is not above it. fp.to_real of NaN and of infinities is an unspecified real, represented as a
// pair: the greatest float of binary128 that is not above it (or -oo), and its position between that float and the
// next, from 0 up to 1. Pairs compare lexicographically. Only the order matters, so for literals the second part is
// rounded; two literals that it cannot distinguish are rejected.
using Literal = std::shared_ptr<const Rational>; // or an integer
struct RealOf {                                  // fp.to_real
  Term number = 0;

  bool operator==(const RealOf&) const = default;
};
using Real = std::variant<Literal, RealOf>;

class Reals {
public:
  Reals(System& system, Unspecified& unspecified) : system_(system), unspecified_(unspecified) {}

  Term less(const Real& a, const Real& b);
  Term equal(const Real& a, const Real& b);
  Term rounded(const Real& a, BinaryFormat format, const Mode& mode);

  // True if two literals differ by too little to be distinguished.
  bool confused() const { return confused_; }

private:
  struct Pair {
    Term floor, above;
  };
  enum class Relation : uint8_t { less, equal };

  Term compare(Relation relation, const Real& a, const Real& b);
  Term compare_numbers(Relation relation, const Real& a, const Real& b);
  Term compare_floats(Relation relation, Term a, Term b);
  Term compare_pairs(Relation relation, const Pair& a, const Pair& b);
  Term is_number(const Real& a);
  Pair pair_of_number(const Real& a);
  Pair pair_of_literal(const Literal& a);
  Pair unspecified(Term number);
  Pair unspecified(BinaryFormat format, int which);

  System& system_;
  Unspecified& unspecified_;
  std::map<std::tuple<int, int, int>, Pair> specials_;
  std::map<std::pair<Bits, Bits>, Rational> literals_; // by their pairs
  std::map<Literal, Pair> pairs_;                      // of literals, which are shared by name and may be long
  bool confused_ = false;
};

using Value = std::variant<Term, Mode, Literal, RealOf>;

struct ScriptSort {
  enum class Kind : uint8_t { term, rounding, real };
  Kind kind = Kind::term;
  Sort term = boolean_sort; // of Kind::term

  bool operator==(const ScriptSort&) const = default;
};

ScriptSort sort_of(const System& system, const Value& value);
std::string text(const ScriptSort& sort); // in SMT-LIB's syntax

// The named sorts, and a parser for sorts.
class Sorts {
public:
  // Throws UserError "unsupported sort" for unsupported sorts.
  ScriptSort read(Lexer& lexer) const;
  void define(const Lexer& lexer, const Token& name, ScriptSort sort);
  size_t count() const { return order_.size(); }
  void forget_to(size_t count); // keeps the first `count`

private:
  std::unordered_map<std::string, ScriptSort> defined_;
  std::vector<std::string> order_;
};

// Throws unless the sort is permitted for a variable or a parameter: any sort but Real.
void check_variable_sort(const Lexer& lexer, size_t at, const ScriptSort& sort);

// Reads the two numbers of a format, from (_ FloatingPoint 8 24), (_ to_fp 8 24) or (_ +oo 8 24). Throws UserError for
// an unsupported format.
BinaryFormat read_format(Lexer& lexer, size_t at);
void check_format(const Lexer& lexer, size_t at, int exponent_bits, int significand_bits);

} // namespace faultline::constraint
