// Term: an expression over the reals, as a value. It is what the code means, with temporaries substituted, and what other
// code would compute. A term is immutable, and terms share their parts.
//
// The same term has two values at a point: the exact one (enclosure, exact), and that of code that is written like it
// (evaluate), rounded after each operation.
#pragma once

#include "numeric/ball.h"
#include "numeric/format.h"
#include "ops/op.h"

#include <cstdint>
#include <gmpxx.h>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace faultline::fix {

using numeric::Format;
using numeric::Value;
using ops::Op;

// The values of the variables, by index.
using Point = std::vector<Value>;

class Term {
public:
  enum class Kind : uint8_t {
    number,    // an exact rational; code holds it rounded to its format
    pi,        // the real number; code holds it rounded to its format
    variable,  //
    operation, // an operation of the table on one to three operands, all of them real numbers
    doubled,   // the operand, computed with twice the digits of the format, and rounded once
  };

  static Term number(const mpq_class& value);
  static Term number(long whole) { return number(mpq_class(whole)); }
  static Term number_of(Value value); // finite, exactly
  static Term pi();
  static Term variable(std::string name, size_t index); // `index` into points
  static Term apply(Op op, std::vector<Term> operands);
  static Term apply(Op op, Term a) { return apply(op, std::vector{std::move(a)}); }
  static Term apply(Op op, Term a, Term b) { return apply(op, std::vector{std::move(a), std::move(b)}); }
  static Term doubled(Term operand);

  Kind kind() const;
  bool is(Op op) const { return kind() == Kind::operation && this->op() == op; }
  bool is_number() const { return kind() == Kind::number; }
  bool is_variable() const { return kind() == Kind::variable; }
  bool is_number(long whole) const { return is_number() && value() == whole; }

  Op op() const;                 // of an operation; Op::none for others
  const mpq_class& value() const; // of a number
  Value rounded(Format format) const; // of a number or pi
  const std::string& name() const; // of a variable
  size_t index() const;            // of a variable
  const std::vector<Term>& operands() const;
  const Term& operand(size_t which) const { return operands()[which]; }

  uint64_t hash() const; // of the structure: the same in every run
  int size() const;      // numbers, variables and operations, each place counted

  bool operator==(const Term& other) const;
  // A fixed order: by size, then by structure.
  bool operator<(const Term& other) const;

private:
  struct Node;
  explicit Term(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};

inline Term operator+(const Term& a, const Term& b) { return Term::apply(Op::fadd, a, b); }
inline Term operator-(const Term& a, const Term& b) { return Term::apply(Op::fsub, a, b); }
inline Term operator*(const Term& a, const Term& b) { return Term::apply(Op::fmul, a, b); }
inline Term operator/(const Term& a, const Term& b) { return Term::apply(Op::fdiv, a, b); }
inline Term operator-(const Term& a) { return Term::apply(Op::fneg, a); }

// True for the operations that terms may have: functions of real numbers with an enclosure in Arb.
bool has_enclosure(Op op);

// Replaces each place of `what`.
Term substituted(const Term& term, const Term& what, const Term& with);
// The same floats with fewer operations: x * 1, x + -y, -(-x), -(x - y).
Term tidied(const Term& term);
std::set<size_t> variables_of(const Term& term);

// An estimate of the run time, in additions. Equal parts count once.
double cost(const Term& term);

// The value that code in this format computes, each operation rounded once.
Value evaluate(const Term& term, const Point& point, Format format);
// An operation of a term on values of the format.
Value native(Op op, Format format, Value a, Value b = 0, Value c = 0);

// All values that are consistent with `precision` bits; not finite where Arb knows none.
numeric::Ball enclosure(const Term& term, const Point& point, long precision);
numeric::Ball enclosure(Op op, std::span<const numeric::Ball* const> operands, long precision);

// The exact value with `bits` correct bits; nothing where there is none, or none with `most` bits of precision. `used`
// receives the precision that was enough.
std::optional<numeric::BigFloat> exact(const Term& term, const Point& point, long bits = 80, long most = 8192,
                                       long* used = nullptr);

// As S-expression, for tests and messages: (+ x 1).
std::string text(const Term& term);

} // namespace faultline::fix
