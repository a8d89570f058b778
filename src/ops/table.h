// The table of operations: the definition of each operation in one entry.
//
// Every reader, strategy and solver uses this table. The entries are grouped in families, one header each
// (arithmetic.h, rounding.h, exponential.h, trigonometric.h, complex.h, special.h, bessel.h, comparison.h). The table
// is assembled at compile time; an operation of ops/op.h without an entry does not compile.
//
// The columns:
//   native      evaluation in the machine formats. Conversions between formats are the identity: the caller rounds.
//   big         evaluation in MPFR at the precision of the result, which may alias an operand. Operands that the
//               operation lacks may be null. The caller rounds to a format (numeric::round_to) where the program would.
//   partials    d result / d operand.
//   conditions  |operand * partial / result|, the atomic conditions of ATOMU (POPL 2020, table 2, completed for the
//               operations it lacks), by formulas that do not cancel. Infinity where only the result is zero; the limit
//               where operand and result go to zero together (sin at 0 gives 1).
//   danger      a continuous function that is zero at the centre of each danger zone and changes sign there, so that
//               large conditions can be bracketed; NaN if the operation has none, or (exp, pow) only one at the end of
//               the range.
//   monotone    the direction of a monotone function of one operand, and the interval on which it is defined.
//   (formulas)  evaluation in Arb's balls, libm's error, values and slopes over ranges: ops/formulas.h.
//   raises      the triggers of exceptions. There is no default: write `nothing` if there are none.
//
// Piecewise constant operations (floor, conversions to integer, comparisons, round_add, logb) have partials and
// conditions of 0. An error of the operand either does not reach the result, or changes it by a jump that derivatives
// do not show. Integer operands (has_integer_operand) are exact and get 0 too.
#pragma once

#include "numeric/format.h"
#include "ops/op.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <mpfr.h>
#include <string_view>

namespace faultline::ops {

// The triggers of an operation's exceptions (Ariadne, POPL 2013). Each trigger is a few conditions on the operands,
// which are finite, and on the result.
//
// A quotient is invalid where both operands are zero; a product underflows where neither operand is zero and the result
// is tiny. For functions of libm the triggers are their domains, poles and ranges. The exception of an execution
// (ops::exception), the distance of a run from an exception (goal/exception.h) and the constraint on inputs
// (constraint/tape_terms.h) are all derived from these.
enum class Relation : uint8_t {
  below,    // x < value
  above,    // x > value
  at_least, // x >= value
  at_most,  // x <= value
  beyond,   // |x| > value
  equal,
  unequal,
  whole,    // an integer
  broken,   // not an integer
  infinite, // of the result
  tiny      // smaller than the smallest normal number: of the result
};

struct Condition {
  static constexpr int result = 3;
  int operand = 0; // 0 to 2, or `result`
  Relation relation = Relation::equal;
  numeric::Value value = 0;
};

// A short list of values of one type, for braces in a constant.
template <class T, size_t most> class ShortList {
public:
  template <std::same_as<T>... Values>
  requires(sizeof...(Values) <= most) constexpr ShortList(Values... values)
      : values_{values...}, size_(sizeof...(Values)) {}

  constexpr const T* begin() const { return values_.data(); }
  constexpr const T* end() const { return values_.data() + size_; }
  constexpr size_t size() const { return size_; }

private:
  std::array<T, most> values_{};
  size_t size_ = 0;
};

// The exception is raised where all conditions hold. An underflow may still turn out to be exact, and is then none.
struct Trigger {
  Exception kind = Exception::none;
  ShortList<Condition, 3> conditions;

  constexpr const Condition* begin() const { return conditions.begin(); }
  constexpr const Condition* end() const { return conditions.end(); }
};

// A required column of the table: the exceptions that an operation raises, or `nothing`.
class Raises : public ShortList<Trigger, 5> {
public:
  struct Nothing {};
  constexpr Raises(Nothing) {}
  template <std::same_as<Trigger>... Triggers>
  requires(sizeof...(Triggers) > 0) constexpr Raises(Triggers... triggers) : ShortList(triggers...) {}
};
inline constexpr Raises::Nothing nothing;

// True if the condition holds for this value of an operand or of the result, in this format.
bool holds(const Condition& condition, numeric::Value x, numeric::Format format);

using Gradient = std::array<double, 3>;

// One generic callable, evaluated in three formats.
struct Native {
  template <class F> constexpr Native(F f) : binary64(f), binary32(f), extended80(f) {}

  double (*binary64)(double, double, double);
  float (*binary32)(float, float, float);
  long double (*extended80)(long double, long double, long double);
};

struct Monotone {
  enum class Direction : uint8_t { neither, up, down };
  Direction direction = Direction::neither;
  double low = 0, high = 0;                                    // the domain, both ends included; NaN outside
  int (*inverse)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t) = nullptr; // if MPFR has it

  constexpr bool up() const { return direction == Direction::up; }
  constexpr explicit operator bool() const { return direction != Direction::neither; }
};

struct Entry {
  Op op;
  std::string_view symbol = {};      // as in formulas, if it is not the operation's name
  bool potentially_unstable = false; // the condition grows without bound, or to the limit of the exponent range
  Native native;
  void (*big)(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c);
  Gradient (*partials)(double a, double b, double c, double result) = [](double, double, double, double) {
    return Gradient{};
  };
  Gradient (*conditions)(double a, double b, double c, double result) = [](double, double, double, double) {
    return Gradient{};
  };
  double (*danger)(double a, double b, double c, double result) = [](double, double, double, double) {
    return std::numeric_limits<double>::quiet_NaN();
  };
  Monotone monotone = {};
  Raises raises;
};

const Entry& entry(Op op);

bool potentially_unstable(Op op);
std::string_view symbol(Op op);

double evaluate(Op op, double a, double b = 0, double c = 0);
float evaluate32(Op op, float a, float b = 0, float c = 0);
long double evaluate80(Op op, long double a, long double b = 0, long double c = 0);
// Evaluates in a format as the machine does: formats narrower than float are evaluated as floats and rounded.
numeric::Value evaluate(Op op, numeric::Format format, numeric::Value a, numeric::Value b, numeric::Value c);
void evaluate(Op op, mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c);

// Never NaN. Where a formula has no value (operands that are not finite, 0/0) they are 0 and add nothing to a sum.
Gradient partials(Op op, double a, double b, double c, double result);
Gradient conditions(Op op, double a, double b, double c, double result);

double danger(Op op, double a, double b, double c, double result);

// The first exception of this execution, determined from operands and result (Ariadne, POPL 2013, and IEEE 754 section
// 7). The result is that of the operation in `format`. Clears MPFR's flags.
//   invalid         a NaN from operands that are not, or a conversion to integer of NaN or of a value outside int64
//   divide_by_zero  an infinity from finite operands at an exact pole
//   overflow        any other infinity from finite operands
//   underflow       finite operands; the exact result is not zero, is below the normal range when rounded to the
//                   precision of the format with unbounded exponent, and differs from the result: the flag of SSE and
//                   x87 with exceptions masked. For functions of libm, the exact result is MPFR's.
Exception exception(Op op, numeric::Format format, numeric::Value a, numeric::Value b, numeric::Value c,
                    numeric::Value result);

} // namespace faultline::ops
