// A float term over the reals, once all variables but one are fixed: a rational function of one unknown, or several,
// each on a part of the free variable's line (|x|, min, max and choices). Rounding is left out; conversions are the
// identity. Terms without the free variable are constants, with the value that the machine computes.
#pragma once

#include "solve/real/levels.h"
#include "solve/real/unknowns.h"

#include <functional>
#include <unordered_map>

namespace faultline::solve {

struct Piece {
  RealSet where; // of the free variable
  Unknown unknown = nothing_unknown;
  RationalFunction value;
};

using Pieces = std::optional<std::vector<Piece>>; // nothing: no such function

class TermPieces {
public:
  // `frame`: where the free variable is of interest. `condition` gives the set of a Boolean term, for choices.
  using Condition = std::function<std::optional<RealSet>(constraint::Term)>;
  TermPieces(const Levels& levels, size_t level, const std::vector<constraint::Bits>& values, const RealSet& frame,
             Condition condition, Budget& budget);

  // Reads a float term of the level; its operands come first.
  void read(constraint::Term term);
  Pieces of(constraint::Term term) const;

  // Where a piece has a value in `target`.
  std::optional<RealSet> where(const Piece& piece, const RealSet& target) const;
  // Where it goes to infinity at a single point.
  std::optional<RealSet> poles(const Piece& piece) const;

private:
  Pieces read_operation(const constraint::Node& node);
  Pieces arithmetic(const constraint::Node& node, const Piece& a, const Piece& b);
  Pieces function(const constraint::Node& node, const Piece& a, const Piece& b);
  Pieces with_sign(const Piece& a, const Piece& b);
  Pieces elementary(ElementaryFunction function, constraint::Term argument, const Piece& a);
  Pieces magnitude(const Piece& a) const;
  Pieces larger(const Piece& a, const Piece& b, bool larger) const;
  Pieces raised(const constraint::Node& node, const Piece& a, const Piece& b);
  Pieces choice(const constraint::Node& node) const;
  std::vector<double> hints(constraint::Term argument) const;

  const Levels& levels_;
  size_t level_;
  const std::vector<constraint::Bits>& values_;
  RealSet frame_;
  Condition condition_;
  Budget& budget_;
  Unknowns unknowns_;
  std::unordered_map<constraint::Term, Pieces> read_;
};

// Arithmetic on two pieces; nothing if their unknowns differ.
using Combine = MaybeRational (*)(const RationalFunction&, const RationalFunction&, Budget&);
std::optional<Piece> combined(const Piece& a, const Piece& b, Combine combine, Budget& budget);

} // namespace faultline::solve
