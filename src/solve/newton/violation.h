// The distance of a point from a model: zero exactly for a model.
//
// Each assertion is a graph of goals in negation normal form. The distance of an atom (a comparison, a classification,
// a Boolean variable) is 0 if it holds; otherwise it is the logarithm (base 2, plus one) of the number of floats by
// which it fails. So distances of assertions are comparable at any scale, and a step closer by one float still counts.
// A NaN where a number is needed is farther than any number. The distance of a conjunction (`every`) is the sum of its
// parts, that of a disjunction (`some`) the least.
//
// Ordered comparisons fail for NaN, unordered ones hold; the negation of either is of the other kind.
//
// Assertions have weights: a search that is stuck raises those of failing assertions (breakout local search, Morris
// 1993), which fills up the local minimum.
#pragma once

#include "solve/newton/compiled.h"

#include <cstdint>

namespace faultline::solve {

struct Goal {
  enum class Kind : uint8_t { fixed, compare, same, classify, boolean, every, some };
  Kind kind = Kind::fixed;
  bool wanted = true; // of same, classify, boolean and fixed: the wanted truth
  Op op = Op::none;
  Class tested = {};
  Sort sort = {}; // of a and b
  Compiled::Slot a = Compiled::none, b = Compiled::none;
  std::vector<uint32_t> parts = {};

  bool is_atom() const { return kind != Kind::every && kind != Kind::some; }
};

struct Score {
  uint32_t unsatisfied = 0; // assertions
  double cost = 0;          // weighted

  bool operator<(const Score& other) const { return cost < other.cost; }
};

struct Goals;

class Violation {
public:
  // The complete state of one point. Searches copy it and pass it to the functions below.
  struct State {
    Model point;
    Compiled::Values values;
    std::vector<double> distances; // of goals
    Score score;
  };

  explicit Violation(const System& system);

  const Compiled& compiled() const { return compiled_; }
  const std::vector<Goal>& goals() const { return goals_; }
  const std::vector<uint32_t>& assertions() const { return roots_; } // goals
  // The variables that a goal's value depends on.
  const std::vector<uint32_t>& support(uint32_t goal) const { return supports_[goal]; }

  State at(const Model& point) const;
  void move(State& state, const Model& point) const;
  void move(State& state, size_t variable, Bits bits) const;
  // Returns the score after a move of one variable, and undoes the move.
  Score probe(State& state, size_t variable, Bits bits);

  void reset_weights();
  void raise_weights(State& state); // of failing assertions

  // The number of slots and goals computed: the clock of a deterministic search.
  uint64_t work() const { return work_; }
  void add_work(uint64_t done) const { work_ += done; }
  uint64_t work_of_all_moves() const; // one of each variable

private:
  Violation(const System& system, Goals read);
  double distance(const Goal& goal, const State& state) const;
  void settle(State& state) const; // recomputes the score from the distances
  void update(State& state, size_t variable, Bits bits) const;
  uint64_t work_of_move(size_t variable) const {
    return 8 + compiled_.dependents(variable).size() + goals_of_[variable].size();
  }
  void list_dependents();

  const System& system_;
  std::vector<Goal> goals_; // parts come before the goals that contain them
  std::vector<uint32_t> roots_;
  Compiled compiled_;
  std::vector<double> weights_;                      // by assertion
  std::vector<std::vector<uint32_t>> goals_of_;      // by variable: the goals that depend on it
  std::vector<std::vector<uint32_t>> assertions_of_; // indices into roots_
  std::vector<std::vector<uint32_t>> supports_;
  mutable uint64_t work_ = 0;
  // The values that `probe` restores.
  std::vector<double> saved_numbers_, saved_distances_;
  std::vector<Bits> saved_bits_;
};

// The distance of an atom from holding: the logarithm of a number of floats.

// Operands in the machine's formats as doubles; `single` if they are in binary32.
double comparison_distance(Op op, double a, double b, bool single);
double comparison_distance(Op op, BinaryFormat format, Bits a, Bits b);
double class_distance(bool wanted, Class tested, BinaryFormat format, Bits a);

} // namespace faultline::solve
