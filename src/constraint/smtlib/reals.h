// Reals of a script: literals, which are exact fractions, and fp.to_real of floats. They may be compared, and rounded
// to floats; arithmetic is for literals alone.
//
// A float that is a number is compared as a float: with another in a format that holds both, with a literal by way of
// the greatest float that is not above it. Of NaN and the infinities fp.to_real is some real, no one says which. Such a
// real is a pair: the greatest float of binary128 that is not above it (-oo, if none), and how far it lies between that
// one and the next, from 0 up to 1. Pairs compare as words of two letters. Only the order counts, so for literals the
// second part is rounded; two that it cannot tell apart are refused.
#pragma once

#include "constraint/smtlib/literals.h"
#include "constraint/smtlib/modes.h"
#include "constraint/smtlib/unspecified.h"

#include <memory>
#include <variant>

namespace faultline::constraint {

using Literal = std::shared_ptr<const Rational>; // an integer too
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

  // Two literals that differ by so little that they cannot be told apart.
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

} // namespace faultline::constraint
