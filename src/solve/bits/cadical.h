// The SAT solver CaDiCaL (Biere et al.). No other file includes its header.
//
// Literals are CaDiCaL's: variables count from 1, and a negative number is a negated variable.
#pragma once

#include "solve/solver.h"

#include <memory>
#include <span>

struct CCaDiCaL;

namespace faultline::solve {

class Cadical {
public:
  Cadical();

  static constexpr int any_number = -1;

  int variable() { return ++variables_; }
  void clause(std::span<const int> literals);
  void clause(std::initializer_list<int> literals) { clause(std::span(literals.begin(), literals.size())); }
  void set_option(const char* name, int value); // before the first clause

  // Returns unknown after the deadline or this many conflicts. Clauses may be added afterwards.
  Answer solve(const Deadline& deadline, int conflicts = any_number);
  bool value(int literal) const; // after sat

  int variables() const { return variables_; }

private:
  struct Release {
    void operator()(CCaDiCaL* solver) const;
  };
  std::unique_ptr<CCaDiCaL, Release> solver_;
  int variables_ = 0;
};

} // namespace faultline::solve
