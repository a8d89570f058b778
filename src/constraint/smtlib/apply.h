// Applies functions of SMT-LIB's theories to operands.
//
// All results are terms of the system. A value that the standard leaves open becomes a variable (see Unspecified), so
// that no answer depends on an arbitrary choice.
#pragma once

#include "constraint/smtlib/operators.h"
#include "constraint/smtlib/values.h"

#include <array>
#include <span>

namespace faultline::constraint {

struct Application {
  const Operator* function = nullptr;
  std::array<int, 2> indices = {};
  size_t at = 0; // for messages
};

// The state that applications share. It lives as long as the script.
struct Theories {
  explicit Theories(System& system) : system(system), unspecified(system), reals(system, unspecified) {}

  System& system;
  Unspecified unspecified;
  Reals reals;
};

// Throws UserError if the number of operands or their sorts are wrong.
Value apply(Theories& theories, const Lexer& lexer, const Application& application, std::span<const Value> operands);

// Scripts that need more terms are rejected: a term takes some 200 bytes.
inline constexpr size_t most_terms = 10'000'000;

// One application: its operands, and the error messages about them.
class Applier {
public:
  Applier(Theories& theories, const Lexer& lexer, const Application& application, std::span<const Value> operands)
      : theories_(theories), system_(theories.system), lexer_(lexer), application_(application),
        function_(*application.function), operands_(operands) {}

  Value result();

private:
  [[noreturn]] void fail(const std::string& what, const std::string& hint = "check the operands") const;
  void check_count() const;

  // Access to operands with a check of their sorts.
  [[noreturn]] void fail_sort(size_t i, const char* wanted) const;
  Term boolean(size_t i) const;
  std::vector<Term> booleans() const;
  Term floating(size_t i, size_t first) const; // of the format of operand `first`
  Term word(size_t i) const;
  Term word(size_t i, size_t first) const; // of the width of operand `first`
  const Mode& mode(size_t i) const;
  Real real(size_t i) const;
  const Rational& literal(size_t i) const;
  BinaryFormat format() const { return {application_.indices[0], application_.indices[1]}; }
  int width(Term word) const { return system_.sort(word).width; }
  void check_width(int width) const;

  Value core();
  Term exclusion();
  Term implication();
  Term equal(size_t i, size_t j);
  Term equality();
  Term distinctness();
  Value choice();

  Value floats();
  Term operation();
  Term rounding();
  Term selection();
  Term comparison();
  Term assembly();
  Term conversion();
  Term to_word();
  Term to_pattern();

  Value reals();
  Value minus();
  Value folded(const std::function<Rational(const Rational&, const Rational&)>& join);
  Value division();
  Term real_comparison();

  Value words();
  Term chained(); // a op b op c, left-associative
  Term word_comparison();
  Term signed_division();
  Term concatenation();
  Term extraction();
  Term extension();
  Term rotation();
  Term repetition();
  Term negated(Term word);
  Term is_negative(Term word);

  Theories& theories_;
  System& system_;
  const Lexer& lexer_;
  const Application& application_;
  const Operator& function_;
  std::span<const Value> operands_;
};

} // namespace faultline::constraint
