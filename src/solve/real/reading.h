// The assertions of one level over the reals: the set of values of its variable for which they hold.
//
// Boolean structure is set algebra: a conjunction is an intersection, a negation a complement, and nothing has to be
// chosen. Comparisons and classifications are sets by root isolation and inversion (pieces.h). Equality allows for the
// last rounding: t == c is |t - c| <= half an ulp. An infinity is a value that rounds to one, or a pole; a NaN is where
// the term has no value. What has no formula is sampled (sampled.h).
#pragma once

#include "solve/real/pieces.h"
#include "solve/real/sampled.h"

namespace faultline::solve {

class Reading {
public:
  // The values of the levels before are known; that of the level's variable is a hint. Solutions are looked for in
  // `frame`.
  Reading(const Levels& levels, size_t level, const std::vector<constraint::Bits>& values, RealSet frame,
          Budget& budget);

  // Nothing if the budget ends.
  std::optional<RealSet> solutions();
  // Floats that were sampled on the way, and at which the assertions hold.
  const std::vector<constraint::Bits>& hits() const { return hits_; }

private:
  using Set = std::optional<RealSet>;

  Set set_of(constraint::Term boolean) const;
  Set read(constraint::Term boolean);
  Set read_atom(const constraint::Node& node) const;
  Set compare(ops::Op op, constraint::Term a, constraint::Term b) const;
  Set compare_pieces(ops::Op op, const Piece& a, const Piece& b, numeric::BinaryFormat format) const;
  Set equal_pieces(const Piece& a, const Piece& b, numeric::BinaryFormat format) const;
  Set classify(constraint::Class tested, constraint::Term a) const;
  Set defined(const std::vector<Piece>& pieces) const;
  Set in(const std::vector<Piece>& pieces, const RealSet& target) const;
  bool read_all();

  const Levels& levels_;
  size_t level_;
  const std::vector<constraint::Bits>& values_;
  RealSet frame_;
  Budget& budget_;
  TermPieces pieces_;
  std::unordered_map<constraint::Term, Set> sets_;
  std::optional<Samples> samples_;
  std::vector<constraint::Bits> hits_;
};

} // namespace faultline::solve
