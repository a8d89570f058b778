// Reads the assertions of one level over the reals: the set of values of its variable for which they hold.
//
// Boolean structure is set algebra: a conjunction is an intersection, a negation a complement, and no choice is needed.
// Root isolation and inversion give the sets of comparisons and classifications (pieces.h). Equality allows for the
// last rounding: t == c is |t - c| <= half an ulp. An infinity is a value that rounds to one, or a pole; a NaN is where
// the term has no value. Terms without a formula are sampled.
#pragma once

#include "solve/real/levels.h"
#include "solve/real/pieces.h"
#include "solve/real/real_set.h"

#include <optional>

namespace faultline::solve {

// The terms of one level at many floats of its variable, as the machine computes them: for terms without a formula.
//
// Between two samples at which a comparison differs, bisection finds the float where it changes. So the set of a term
// that mixes unknowns (x * exp(x)), or that has no inverse here, is known as far as the samples show it.
class Samples {
public:
  // `values` are those of the other levels. `frame`: the range of all samples, which are denser inside.
  Samples(const Levels& levels, size_t level, const std::vector<Bits>& values, const RealSet& frame, Budget& budget);

  // Returns where a comparison or a classification is true. None if the budget ends.
  std::optional<RealSet> where(Term atom);

  // Returns the floats at which all assertions of the level hold.
  std::vector<Bits> hits() const;

private:
  static constexpr int unordered = 2;

  void take(const RealSet& frame);
  int state(Term atom, const std::vector<Bits>& values) const;
  int state_at(Term atom, numeric::Int128 order);
  bool wanted(Term atom, int state) const;

  const Levels& levels_;
  size_t level_;
  BinaryFormat format_;
  std::vector<Bits> values_;
  Budget& budget_;
  uint64_t cost_; // of one evaluation
  std::vector<numeric::Int128> orders_;
  std::vector<std::vector<Bits>> taken_; // the level's terms at each sample
};

class Reading {
public:
  // The values of the earlier levels are known; the value of the level's variable is a hint. `frame` limits the
  // solutions.
  Reading(const Levels& levels, size_t level, const std::vector<Bits>& values, RealSet frame, Budget& budget);

  // None if the budget ends.
  std::optional<RealSet> solutions();
  // Sampled floats at which the assertions hold.
  const std::vector<Bits>& hits() const { return hits_; }

private:
  using Set = std::optional<RealSet>;

  Set set_of(Term boolean) const;
  Set read(Term boolean);
  Set read_atom(const Node& node) const;
  Set compare(Op op, Term a, Term b) const;
  Set compare_pieces(Op op, const Piece& a, const Piece& b, BinaryFormat format) const;
  Set equal_pieces(const Piece& a, const Piece& b, BinaryFormat format) const;
  Set classify(Class tested, Term a) const;
  Set defined(const std::vector<Piece>& pieces) const;
  Set in(const std::vector<Piece>& pieces, const RealSet& target) const;
  bool read_all();

  const Levels& levels_;
  size_t level_;
  const std::vector<Bits>& values_;
  RealSet frame_;
  Budget& budget_;
  TermPieces pieces_;
  std::unordered_map<Term, Set> sets_;
  std::optional<Samples> samples_;
  std::vector<Bits> hits_;
};

} // namespace faultline::solve
