// What SMT-LIB leaves open, as variables of the system: a function of the standard has some value everywhere, and where
// the standard does not say which, any will do, but always the same one for the same operands.
//
//   fp.min, fp.max      of zeros of different sign: either zero, a Boolean for each format and order
//   fp.to_ubv, to_sbv   of NaN, infinities and numbers out of range: a word for each use, and equal operands give equal
//                       words
//   fp.to_ieee_bv       of NaN: one of the words that hold it, for each format
//   fp.to_real          of NaN and infinities: a real for each format and each of the three (constraint/smtlib/reals.h)
//
// A formula with these variables is satisfiable exactly if it is for some choice, so unsat holds for all of them.
// Conditions on them are collected here; they hold wherever the script stands.
#pragma once

#include "constraint/system.h"

#include <map>
#include <tuple>

namespace faultline::constraint {

class Unspecified {
public:
  explicit Unspecified(System& system) : system_(system) {}

  // Of +0 and -0, in this order, or of -0 and +0.
  Term zero_is_negative(bool maximum, BinaryFormat format, bool positive_first);
  // `rounded`: the operand, rounded to an integer; the mode is part of what the word depends on.
  Term word_of(Term operand, numeric::Rounding rounding, int width, bool is_signed);
  // A word that holds NaN.
  Term pattern_of_nan(BinaryFormat format);
  // A variable of its own.
  Term variable(const Sort& sort);

  void require(Term condition) { conditions_.push_back(condition); }
  const std::vector<Term>& conditions() const { return conditions_; }

  // Pairs of operands that were compared so far: they grow with the square of the uses.
  size_t pairs() const { return pairs_; }
  static constexpr size_t most_pairs = 500'000;

private:
  using Kind = std::tuple<int, int, numeric::Rounding, int, bool>; // format, rounding, width, signed
  struct Use {
    Term operand, word;
  };

  System& system_;
  std::map<std::tuple<bool, int, int, bool>, Term> zeros_;
  std::map<Kind, std::vector<Use>> words_;
  std::map<std::pair<int, int>, Term> patterns_; // of NaN, by format
  std::vector<Term> conditions_;
  size_t pairs_ = 0, count_ = 0;
};

} // namespace faultline::constraint
