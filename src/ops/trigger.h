// What makes an operation raise an exception (Ariadne, POPL 2013): its triggers, each a few conditions on the operands,
// which are finite, and on the result.
//
// A quotient is invalid where both operands are zero; a product underflows where neither operand is zero and the result
// is tiny. For functions of libm the triggers are their domains, poles and ranges. The judgement of an execution
// (ops::exception), the distance of a run from an exception (goal/exception.h) and the constraint on inputs
// (constraint/exception.h) are all made of these.
#pragma once

#include "numeric/format.h"
#include "ops/exception.h"

#include <array>
#include <concepts>
#include <cstddef>

namespace faultline::ops {

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

// A few values of one type, to be written between braces in a constant.
template <class T, size_t most>
class Few {
public:
  template <std::same_as<T>... Values>
  requires(sizeof...(Values) <= most) constexpr Few(Values... values) : values_{values...}, size_(sizeof...(Values)) {}

  constexpr const T* begin() const { return values_.data(); }
  constexpr const T* end() const { return values_.data() + size_; }
  constexpr size_t size() const { return size_; }

private:
  std::array<T, most> values_{};
  size_t size_ = 0;
};

// The exception is raised where all of the conditions hold; an underflow may turn out to be exact all the same, and is
// none then.
struct Trigger {
  Exception kind = Exception::none;
  Few<Condition, 3> conditions;

  constexpr const Condition* begin() const { return conditions.begin(); }
  constexpr const Condition* end() const { return conditions.end(); }
};

// A column of the table that has to be filled in: what an operation raises, or that it raises nothing.
class Raises : public Few<Trigger, 5> {
public:
  struct Nothing {};
  constexpr Raises(Nothing) {}
  template <std::same_as<Trigger>... Triggers>
  requires(sizeof...(Triggers) > 0) constexpr Raises(Triggers... triggers) : Few(triggers...) {}
};
inline constexpr Raises::Nothing nothing;

// Does the condition hold for this value, of an operand or of the result, in this format?
bool holds(const Condition& condition, numeric::Value x, numeric::Format format);

} // namespace faultline::ops
