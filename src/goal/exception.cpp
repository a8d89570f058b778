#include "goal/exception.h"

#include "numeric/ordered.h"
#include "tape/exceptions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline::goal {

using numeric::Format;
using ops::Op;
using Kind = ops::Exception;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int result = Condition::result;

std::vector<Trigger> overflows(Op op) {
  switch (op) {
  case Op::fadd:
  case Op::fsub:
  case Op::fmul:
  case Op::fma:
  case Op::fptrunc:
  case Op::fdim:
  case Op::round_add:
  case Op::ldexp:
  case Op::hypot:
  case Op::exp:
  case Op::exp2:
  case Op::exp10:
  case Op::expm1:
  case Op::sinh:
  case Op::cosh:
    return {{{result, Relation::infinite}}};
  case Op::fdiv:
    return {{{1, Relation::unequal, 0}, {result, Relation::infinite}}};
  case Op::pow:
  case Op::powi:
  case Op::tgamma:
    return {{{0, Relation::unequal, 0}, {result, Relation::infinite}}};
  case Op::lgamma:
    return {{{0, Relation::above, 0}, {result, Relation::infinite}}};
  default:
    return {};
  }
}

std::vector<Trigger> underflows(Op op) {
  switch (op) {
  case Op::fmul:
  case Op::fma:
  case Op::hypot:
    return {{{0, Relation::unequal, 0}, {1, Relation::unequal, 0}, {result, Relation::tiny}}};
  case Op::fdiv:
  case Op::fptrunc:
  case Op::ldexp:
  case Op::pow:
  case Op::powi:
  case Op::atan2:
  // Functions that are their argument, nearly, near zero.
  case Op::expm1:
  case Op::log1p:
  case Op::sin:
  case Op::tan:
  case Op::asin:
  case Op::atan:
  case Op::sinh:
  case Op::tanh:
  case Op::asinh:
  case Op::atanh:
  case Op::erf:
    return {{{0, Relation::unequal, 0}, {result, Relation::tiny}}};
  case Op::exp:
  case Op::exp2:
  case Op::exp10:
  case Op::erfc:
  case Op::tgamma:
    return {{{result, Relation::tiny}}};
  default:
    return {};
  }
}

std::vector<Trigger> divisions_by_zero(Op op) {
  switch (op) {
  case Op::fdiv:
    return {{{0, Relation::unequal, 0}, {1, Relation::equal, 0}}};
  case Op::log:
  case Op::log2:
  case Op::log10:
  case Op::logb:
  case Op::tgamma:
  case Op::y0:
  case Op::y1:
  case Op::yn:
    return {{{0, Relation::equal, 0}}};
  case Op::log1p:
    return {{{0, Relation::equal, -1}}};
  case Op::atanh:
    return {{{0, Relation::equal, 1}}, {{0, Relation::equal, -1}}};
  case Op::pow:
  case Op::powi:
    return {{{0, Relation::equal, 0}, {1, Relation::below, 0}}};
  case Op::lgamma:
    return {{{0, Relation::equal, 0}}, {{0, Relation::below, 0}, {0, Relation::whole}}};
  default:
    return {};
  }
}

// What the type of the integer has no room for.
std::vector<Trigger> beyond_integers(const runtime::Site& site) {
  const long double end = std::ldexp(1.0L, site.integer_bits - (site.integer_signed ? 1 : 0));
  const long double low = site.integer_signed ? -end : 0;
  // Toward zero, everything above low - 1 has an integer; where low - 1 is no number of the format, low itself.
  const bool fits = (site.format == Format::binary32   ? (long double)float(low - 1)
                     : site.format == Format::binary64 ? (long double)double(low - 1)
                                                       : low - 1) == low - 1;
  return {{{0, Relation::at_least, end}},
          {fits ? Condition{0, Relation::at_most, low - 1} : Condition{0, Relation::below, low}}};
}

std::vector<Trigger> invalids(const runtime::Site& site) {
  switch (site.op) {
  case Op::fdiv:
    return {{{0, Relation::equal, 0}, {1, Relation::equal, 0}}};
  case Op::sqrt:
  case Op::log:
  case Op::log2:
  case Op::log10:
  case Op::y0:
  case Op::y1:
  case Op::yn:
    return {{{0, Relation::below, 0}}};
  case Op::log1p:
    return {{{0, Relation::below, -1}}};
  case Op::asin:
  case Op::acos:
  case Op::atanh:
    return {{{0, Relation::beyond, 1}}};
  case Op::acosh:
    return {{{0, Relation::below, 1}}};
  case Op::fmod:
  case Op::remainder:
  case Op::modulo:
    return {{{1, Relation::equal, 0}}};
  case Op::pow:
    return {{{0, Relation::below, 0}, {1, Relation::broken}}};
  case Op::tgamma:
    return {{{0, Relation::below, 0}, {0, Relation::whole}}};
  case Op::to_int:
  case Op::to_int_rint:
  case Op::to_int_round:
    return beyond_integers(site);
  default:
    return {};
  }
}

// In the order of the floats, in binades: one float is 2^-52 of one.
template <class Float>
double apart(Float x, Float y) {
  return double(numeric::ulps_between(x, y)) * double(std::numeric_limits<Float>::epsilon());
}

template <class Float>
double distance(const Condition& condition, Float x) {
  using Limits = std::numeric_limits<Float>;
  const auto value = Float(condition.value);
  constexpr double one_float = Limits::epsilon();
  switch (condition.relation) {
  case Relation::below:
    return x < value ? 0 : one_float + apart(x, value);
  case Relation::above:
    return x > value ? 0 : one_float + apart(x, value);
  case Relation::at_least:
    return x >= value ? 0 : apart(x, value);
  case Relation::at_most:
    return x <= value ? 0 : apart(x, value);
  case Relation::beyond:
    return std::fabs(x) > value ? 0 : one_float + apart(std::fabs(x), value);
  case Relation::equal:
    return x == value ? 0 : apart(x, value);
  case Relation::unequal:
    return x != value ? 0 : one_float;
  case Relation::whole:
    return apart(x, std::rint(x));
  case Relation::broken:
    return x != std::rint(x) ? 0 : one_float;
  case Relation::infinite:
    return apart(std::fabs(x), Limits::infinity());
  case Relation::tiny:
    return std::fabs(x) < Limits::min() ? 0 : one_float + apart(std::fabs(x), Limits::min());
  }
  return infinity;
}

double distance(const Condition& condition, long double x, Format format) {
  switch (format) {
  case Format::binary32:
    return distance(condition, float(x));
  case Format::binary64:
    return distance(condition, double(x));
  default:
    return distance(condition, x);
  }
}

} // namespace

std::vector<Trigger> triggers(const runtime::Site& site, Kind kind) {
  switch (kind) {
  case Kind::overflow:
    return overflows(site.op);
  case Kind::underflow:
    return underflows(site.op);
  case Kind::divide_by_zero:
    return divisions_by_zero(site.op);
  case Kind::invalid:
    return invalids(site);
  case Kind::none:
    break;
  }
  return {};
}

double distance(const std::vector<Trigger>& triggers, const tape::Tape& tape, uint32_t index) {
  const tape::Record& record = tape.record(index);
  const tape::Site& site = tape.site(index);
  const int arity = ops::arity(site.op);
  long double values[4] = {tape.exact(record.a), arity > 1 ? tape.exact(record.b) : 0,
                           arity > 2 ? tape.exact(record.c) : 0, 0};
  for (int i = 0; i < arity; ++i)
    if (!std::isfinite(values[i]))
      return infinity;
  values[result] = ops::is_to_int(site.op) ? 0 : tape.exact(index);
  double least = infinity;
  for (const Trigger& trigger : triggers) {
    double sum = 0;
    for (const Condition& condition : trigger)
      sum += distance(condition, values[condition.operand],
                      condition.operand == result ? site.format : site.operand_format);
    least = std::min(least, sum);
  }
  return least;
}

double distance(const Exception& goal, const tape::Tape& tape) {
  const std::vector<Trigger> conditions = triggers(tape.table().sites[goal.site], goal.kind);
  double least = infinity;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.record(index).site == goal.site)
      least = std::min(least, distance(conditions, tape, index));
  return least;
}

bool happened(const Exception& goal, const tape::Tape& tape) {
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.record(index).site == goal.site && tape::exception_of(tape, index) == goal.kind)
      return true;
  return false;
}

} // namespace faultline::goal
