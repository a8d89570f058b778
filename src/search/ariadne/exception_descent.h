// Steps towards an exception: from the nearest input that is known, all inputs together and each of them moved by steps
// in the order of floats, so that a step changes exponents where it is large and bits where it is small; kept if the
// goal comes nearer.
// Where a goal lies at a zero and both sides of it are known, the way between the two is bisected first.
#pragma once

#include "search/ariadne/exception_board.h"
#include "search/space.h"

#include <span>
#include <vector>

namespace faultline::search {

class ExceptionDescent {
public:
  // The board sees every run of the evaluator, and knows by itself what was reached.
  ExceptionDescent(Evaluator& evaluator, const Space& space, ExceptionBoard& board);

  // The goal may be seen afterwards.
  void descend(size_t goal, uint64_t most_runs);
  // Nothing if the sides are not both known.
  void bisect(size_t goal, uint64_t most_runs);

private:
  bool done(size_t goal) const { return board_.goals()[goal].seen || evaluator_.spent(); }
  bool walk(size_t goal, std::span<const size_t> dimensions, uint64_t end);
  exec::Input stepped(std::span<const size_t> dimensions, numeric::Int128 step) const;
  double try_input(size_t goal, const exec::Input& input);
  void look_around(size_t goal, const exec::Input& centre, uint64_t end);

  Evaluator& evaluator_;
  const Space& space_;
  ExceptionBoard& board_;
  std::vector<size_t> floats_; // inputs that are free
  exec::Input best_;
  double left_ = 0;
};

} // namespace faultline::search
