// A float term over the reals after all variables but one are fixed: a rational function of one unknown, or several,
// each on a part of the free variable's line (|x|, min, max and choices). Rounding is ignored; conversions are the
// identity. Terms without the free variable are constants with the machine's value.
#pragma once

#include "solve/real/inverse.h"
#include "solve/real/levels.h"
#include "solve/real/real_set.h"

#include <functional>
#include <optional>
#include <unordered_map>

namespace faultline::solve {

// Rational functions of one unknown, in lowest terms, and the sets where they take given values (Ariadne's Algorithm
// 5).
struct RationalFunction {
  Polynomial numerator;
  Polynomial denominator = Polynomial::constant(real_number(1)); // never zero

  static RationalFunction constant(const BigFloat& finite) { return {Polynomial::constant(finite)}; }
  static RationalFunction identity() { return {Polynomial::identity()}; }

  bool is_constant() const { return numerator.is_constant() && denominator.is_constant(); }
  bool is_identity() const { return denominator.is_constant() && numerator.is_identity(); }
  BigFloat value() const; // for a constant, rounded to real_precision
};

// The operations limit degree and height and charge their cost to the budget. The result is none beyond the limits,
// without budget, and for a division by zero.
using MaybeRational = std::optional<RationalFunction>;
MaybeRational sum(const RationalFunction& a, const RationalFunction& b, Budget& budget);
MaybeRational difference(const RationalFunction& a, const RationalFunction& b, Budget& budget);
MaybeRational product(const RationalFunction& a, const RationalFunction& b, Budget& budget);
MaybeRational quotient(const RationalFunction& a, const RationalFunction& b, Budget& budget);
MaybeRational power(const RationalFunction& a, int exponent, Budget& budget);

// Returns where the value is in `target`. Poles are excluded.
std::optional<RealSet> where_in(const RationalFunction& function, const RealSet& target, Budget& budget);
std::optional<RealSet> poles(const RationalFunction& function, Budget& budget);

// The unknowns of terms: the free variable, and Ariadne's dependent variables, one for each call of an elementary
// function. A dependent variable is bound to the function and its argument, a rational function of the free variable or
// of another dependent one.
using Unknown = int;
inline constexpr Unknown nothing_unknown = -1, free_variable = 0;

class Unknowns {
public:
  // Adds a dependent variable. `hints`: arguments near which a periodic function is examined.
  Unknown bind(ElementaryFunction function, Unknown argument_of, RationalFunction argument, std::vector<double> hints) {
    dependent_.push_back({std::move(function), argument_of, std::move(argument), std::move(hints)});
    return Unknown(dependent_.size());
  }

  // Returns the values of the free variable for which an unknown has its value in `values`.
  std::optional<RealSet> pulled_back(Unknown unknown, RealSet values, Budget& budget) const {
    std::optional<RealSet> result = std::move(values);
    while (unknown != free_variable && result) {
      const Dependent& bound = dependent_[size_t(unknown - 1)];
      if (!budget.spend(2'000 * (1 + result->intervals().size())))
        return std::nullopt;
      result = where_in(bound.argument, preimage(bound.function, *result, bound.hints), budget);
      unknown = bound.argument_of;
    }
    return result;
  }

private:
  struct Dependent {
    ElementaryFunction function;
    Unknown argument_of;
    RationalFunction argument;
    std::vector<double> hints;
  };
  std::vector<Dependent> dependent_;
};

struct Piece {
  RealSet where; // of the free variable
  Unknown unknown = nothing_unknown;
  RationalFunction value;
};

using Pieces = std::optional<std::vector<Piece>>; // none: cannot be expressed

class TermPieces {
public:
  // `frame`: the relevant range of the free variable. `condition` gives the set of a Boolean term, for choices.
  using Condition = std::function<std::optional<RealSet>(Term)>;
  TermPieces(const Levels& levels, size_t level, const std::vector<Bits>& values, const RealSet& frame,
             Condition condition, Budget& budget);

  // Reads a float term of the level. Call for its operands first.
  void read(Term term);
  Pieces of(Term term) const;

  // Returns where a piece has a value in `target`.
  std::optional<RealSet> where(const Piece& piece, const RealSet& target) const;
  // Returns the single points where it goes to infinity.
  std::optional<RealSet> poles(const Piece& piece) const;

private:
  Pieces read_operation(const Node& node);
  Pieces arithmetic(const Node& node, const Piece& a, const Piece& b);
  Pieces function(const Node& node, const Piece& a, const Piece& b);
  Pieces with_sign(const Piece& a, const Piece& b);
  Pieces elementary(ElementaryFunction function, Term argument, const Piece& a);
  Pieces magnitude(const Piece& a) const;
  Pieces larger(const Piece& a, const Piece& b, bool larger) const;
  Pieces raised(const Node& node, const Piece& a, const Piece& b);
  Pieces choice(const Node& node) const;
  std::vector<double> hints(Term argument) const;

  const Levels& levels_;
  size_t level_;
  const std::vector<Bits>& values_;
  RealSet frame_;
  Condition condition_;
  Budget& budget_;
  Unknowns unknowns_;
  std::unordered_map<Term, Pieces> read_;
};

// Arithmetic on two pieces; none if their unknowns differ.
using Combine = MaybeRational (*)(const RationalFunction&, const RationalFunction&, Budget&);
std::optional<Piece> combined(const Piece& a, const Piece& b, Combine combine, Budget& budget);

} // namespace faultline::solve
