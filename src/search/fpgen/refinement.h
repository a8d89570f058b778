// Refinement on the true error: a hill climb over the floats of many inputs.
//
// A threshold on the bits that cancel does not lead to extreme errors; the error itself does. The moves keep what has
// been reached: steps in ulps, alone and in pairs (two products that differ in their last bit), powers of two, copies
// of a value or of a row or column (equal values cancel), and solving inputs for cancellation. The moves that have
// gained most are made most often.
#pragma once

#include "search/fpgen/cancelling.h"
#include "search/fpgen/true_error.h"

#include <array>
#include <map>
#include <vector>

namespace faultline::search {

class Refinement {
public:
  Refinement(Quest& quest, TrueErrors& errors, Cancelling& cancelling);

  // Climbs until `patience` consecutive moves were fruitless. `watch` sees every move.
  template <typename Watch> ScoredInput climb(ScoredInput from, Aim aim, int patience, Watch&& watch) {
    if (free_.empty())
      return from;
    prepare(from);
    for (int failures = 0; failures < patience && !quest_.evaluator.spent();) {
      ScoredInput next = moved(from);
      watch(next);
      const double before = error_of(from.error, aim), after = error_of(next.error, aim);
      reward(before, after);
      failures = after > before ? 0 : failures + 1;
      if (after >= before && next.error.usable)
        from = std::move(next);
    }
    return from;
  }

private:
  static constexpr size_t moves = 11; // kinds: the cases of step(), and solving

  void prepare(const ScoredInput& from);
  ScoredInput moved(const ScoredInput& from);
  size_t choose();
  void reward(double before, double after);
  void step(exec::Input& input, size_t kind);
  void nudge(exec::Input& input, size_t dimension, int most_bits);
  void scale(exec::Input& input, size_t dimension, int exponent);
  void copy(exec::Input& input);
  void swap(exec::Input& input, size_t one, size_t other);
  void copy_block(exec::Input& input);
  void scale_some(exec::Input& input);
  size_t any();
  int exponent();

  Quest& quest_;
  TrueErrors& errors_;
  Cancelling& cancelling_;
  std::vector<size_t> free_, relevant_; // relevant: to the output with the largest error
  std::array<double, moves> worth_;     // recent gain of each kind of move, in bits of the error
  std::vector<size_t> made_;            // the kinds of the last move
};

// The best inputs so far by one measure, and the best of each kind.
//
// A hill climb that follows one weakness of the code rarely changes to another, which may start lower and lead further.
// So there is an elite for each suspect operation and size of the absolute error, however small its error (the idea of
// MAP-Elites: Mouret and Clune, 2015).
class Elites {
public:
  struct Elite {
    ScoredInput found;
    int worked_on = 0;
  };
  explicit Elites(Aim aim) : aim_(aim) {}

  void add(const ScoredInput& found);
  // Adds the end of a climb and the operation that makes the error.
  void add(const ScoredInput& found, uint32_t suspect);

  // The least-used elite: of the largest errors, or of all kinds; the larger error among equals. Null if there is none.
  Elite* next_of_best() { return next(best_); }
  Elite* next_of_kinds();
  // Largest error first.
  const std::vector<Elite>& best() const { return best_; }
  std::map<uint32_t, ScoredInput> best_of_suspects() const;

private:
  Elite* next(std::vector<Elite>& from);
  double error(const Elite& elite) const { return error_of(elite.found.error, aim_); }

  Aim aim_;
  std::vector<Elite> best_;
  std::map<std::pair<uint32_t, int>, Elite> kinds_; // by suspect, and exponent of the absolute error
};

} // namespace faultline::search
