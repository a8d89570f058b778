// One application: the operands, and the messages about them. Its parts, by theory, are apply.cpp (Core),
// apply_floats.cpp, apply_reals.cpp and apply_words.cpp.
#pragma once

#include "constraint/smtlib/apply.h"

namespace faultline::constraint {

class Applying {
public:
  Applying(Theories& theories, const Lexer& lexer, const Application& application, std::span<const Value> operands)
      : theories_(theories), system_(theories.system), lexer_(lexer), application_(application),
        function_(*application.function), operands_(operands) {}

  Value result();

private:
  [[noreturn]] void fail(const std::string& what, const std::string& hint = "check the operands") const;
  void check_count() const;

  // Operands of the sort that is wanted.
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
  Term chained(); // a op b op c, from the left
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
