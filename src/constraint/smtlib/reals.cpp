#include "constraint/smtlib/reals.h"

namespace faultline::constraint {

using ops::Op;

namespace {

constexpr BinaryFormat wide{BinaryFormat::most_exponent_bits, BinaryFormat::most_significand_bits};

Rational value_of(Bits bits, BinaryFormat format) {
  numeric::BigFloat number(format.significand_bits);
  numeric::set_bits(number.raw(), bits, format);
  mpq_class fraction;
  mpfr_get_q(fraction.get_mpq_t(), number.raw());
  return fraction;
}

// Where a literal lies between the float below it and the next one, as something that grows with it from 0 to 1.
Bits place_above(const Rational& literal, Bits floor) {
  const Rational largest = value_of(wide.largest(), wide);
  if (wide.is_infinite(floor)) // below all floats: closer to them is larger
    return nearest_bits(-largest / literal, wide);
  if (floor == wide.largest()) // above all floats
    return nearest_bits((literal - largest) / literal, wide);
  const Rational below = value_of(floor, wide), above = value_of(wide.at(wide.order(floor) + 1), wide);
  return nearest_bits((literal - below) / (above - below), wide);
}

} // namespace

Term Reals::is_number(const Real& a) {
  const RealOf* real = std::get_if<RealOf>(&a);
  if (!real)
    return system_.truth(true);
  return system_.negate(
      system_.either(system_.classify(Class::nan, real->number), system_.classify(Class::infinite, real->number)));
}

Reals::Pair Reals::unspecified(BinaryFormat format, int which) {
  const auto [place, fresh] = specials_.try_emplace({format.exponent_bits, format.significand_bits, which}, Pair{});
  if (!fresh)
    return place->second;
  const Pair pair{unspecified_.variable(float_sort(wide)), unspecified_.variable(float_sort(wide))};
  const Term zero = system_.constant(0, wide), one = system_.constant(numeric::bits_of(1.0, wide), wide);
  const Term lowest = system_.constant(wide.sign() | wide.infinity(), wide);
  unspecified_.require(system_.compare(Op::cmp_ole, pair.floor, system_.constant(wide.largest(), wide)));
  unspecified_.require(system_.compare(Op::cmp_ole, zero, pair.above));
  unspecified_.require(system_.compare(Op::cmp_olt, pair.above, one));
  unspecified_.require(
      system_.either(system_.negate(system_.same(pair.floor, lowest)), system_.compare(Op::cmp_olt, zero, pair.above)));
  return place->second = pair;
}

Reals::Pair Reals::unspecified(Term number) {
  const BinaryFormat format = system_.sort(number).format;
  const Pair nan = unspecified(format, 0), above = unspecified(format, 1), below = unspecified(format, -1);
  const Term is_nan = system_.classify(Class::nan, number), is_above = system_.classify(Class::positive, number);
  const auto pick = [&](Term of_nan, Term of_above, Term of_below) {
    return system_.choose(is_nan, of_nan, system_.choose(is_above, of_above, of_below));
  };
  return {pick(nan.floor, above.floor, below.floor), pick(nan.above, above.above, below.above)};
}

Reals::Pair Reals::pair_of_literal(const Literal& a) {
  const auto [place, first_time] = pairs_.try_emplace(a, Pair{});
  if (!first_time)
    return place->second;
  const Bits floor = rounded_bits(*a, wide, Rounding::down);
  Bits above = 0;
  if (wide.is_infinite(floor) || *a != value_of(floor, wide)) {
    above = place_above(*a, floor);
    const auto [known, fresh] = literals_.try_emplace({floor, above}, *a);
    confused_ |= above == 0 || above >= numeric::bits_of(1.0, wide) || (!fresh && known->second != *a);
  }
  return place->second = {system_.constant(floor, wide), system_.constant(above, wide)};
}

Reals::Pair Reals::pair_of_number(const Real& a) {
  if (const RealOf* real = std::get_if<RealOf>(&a))
    return {system_.convert(real->number, wide), system_.constant(0, wide)};
  return pair_of_literal(std::get<Literal>(a));
}

Term Reals::compare_pairs(Relation relation, const Pair& a, const Pair& b) {
  const Term level = system_.compare(Op::cmp_oeq, a.floor, b.floor);
  const Op op = relation == Relation::less ? Op::cmp_olt : Op::cmp_oeq;
  const Term second = system_.both(level, system_.compare(op, a.above, b.above));
  return relation == Relation::equal ? second : system_.either(system_.compare(Op::cmp_olt, a.floor, b.floor), second);
}

Term Reals::compare_floats(Relation relation, Term a, Term b) {
  const BinaryFormat x = system_.sort(a).format, y = system_.sort(b).format;
  const BinaryFormat both{std::max(x.exponent_bits, y.exponent_bits), std::max(x.significand_bits, y.significand_bits)};
  return system_.compare(relation == Relation::less ? Op::cmp_olt : Op::cmp_oeq, system_.convert(a, both),
                         system_.convert(b, both));
}

// Neither is NaN or infinite.
Term Reals::compare_numbers(Relation relation, const Real& a, const Real& b) {
  const RealOf *x = std::get_if<RealOf>(&a), *y = std::get_if<RealOf>(&b);
  if (x && y)
    return compare_floats(relation, x->number, y->number);
  if (!x && !y) {
    const int order = cmp(*std::get<Literal>(a), *std::get<Literal>(b));
    return system_.truth(relation == Relation::less ? order < 0 : order == 0);
  }
  const Term number = x ? x->number : y->number;
  const Rational& literal = *std::get<Literal>(x ? b : a);
  const BinaryFormat format = system_.sort(number).format;
  const Bits bits = rounded_bits(literal, format, Rounding::down);
  const Term floor = system_.constant(bits, format);
  const bool exact = !format.is_infinite(bits) && literal == value_of(bits, format);
  if (relation == Relation::equal)
    return exact ? system_.compare(Op::cmp_oeq, number, floor) : system_.truth(false);
  if (y) // literal < number
    return system_.compare(Op::cmp_olt, floor, number);
  return system_.compare(exact ? Op::cmp_olt : Op::cmp_ole, number, floor);
}

Term Reals::compare(Relation relation, const Real& a, const Real& b) {
  const Term first = is_number(a), second = is_number(b);
  const auto known = [&](Term term) { return system_.node(term).form == Form::constant; };
  Term result = compare_numbers(relation, a, b);
  if (known(first) && known(second) && system_.node(first).value != 0 && system_.node(second).value != 0)
    return result;
  const auto other = [&](const Real& real, Term number) {
    const RealOf* of = std::get_if<RealOf>(&real);
    if (!of)
      return pair_of_number(real);
    const Pair some = pair_of_number(real), open = unspecified(of->number);
    return Pair{system_.choose(number, some.floor, open.floor), system_.choose(number, some.above, open.above)};
  };
  return system_.choose(system_.both(first, second), result,
                        compare_pairs(relation, other(a, first), other(b, second)));
}

Term Reals::less(const Real& a, const Real& b) { return compare(Relation::less, a, b); }
Term Reals::equal(const Real& a, const Real& b) { return compare(Relation::equal, a, b); }

Term Reals::rounded(const Real& a, BinaryFormat format, const Mode& mode) {
  if (const Literal* literal = std::get_if<Literal>(&a))
    return by_mode(system_, mode, [&](Rounding rounding) {
      return system_.constant(rounded_bits(**literal, format, rounding), format);
    });
  const Term number = std::get<RealOf>(a).number;
  const Term converted =
      by_mode(system_, mode, [&](Rounding rounding) { return system_.convert(number, format, rounding); });
  const Term defined = is_number(a);
  if (system_.node(defined).form == Form::constant && system_.node(defined).value != 0)
    return converted;
  // Some real, rounded: any float but NaN.
  const Term open = unspecified_.variable(float_sort(format));
  unspecified_.require(system_.negate(system_.classify(Class::nan, open)));
  return system_.choose(defined, converted, open);
}

} // namespace faultline::constraint
