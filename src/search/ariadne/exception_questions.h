// Exceptions asked of the solvers: on the path of a run that came to the operation, is there an input that makes it
// raise one? An answer is an input, which is run; what it raises the board sees for itself.
#pragma once

#include "constraint/path_condition.h"
#include "numeric/random.h"
#include "search/ariadne/exception_board.h"
#include "search/space.h"
#include "solve/solver.h"

namespace faultline::search {

// The numbers are guesses.
struct QuestionLimits {
  uint64_t effort = 4'000;                                  // as in solve::Question
  double seconds = 2;                                       // the brake
  size_t terms = 4'000;                                     // of a condition; one that has more is not asked for
  std::vector<std::string> solvers = {"real", "portfolio"}; // in this order, as in the paper
};

// What a question costs, in records: counted, so that a search ends at the same question everywhere.
uint64_t cost(const solve::Result& result, uint64_t effort);

class ExceptionQuestions {
public:
  ExceptionQuestions(Evaluator& evaluator, const Space& space, ExceptionBoard& board);

  // For the goal, at the execution of its place that came nearest; within the loop bound. True if it was
  // asked.
  bool ask(size_t goal, int loop_bound, const QuestionLimits& limits, numeric::Rng& rng);

private:
  uint32_t record_of(const ExceptionBoard::Nearest& nearest, const tape::Tape& tape) const;

  Evaluator& evaluator_;
  const Space& space_;
  ExceptionBoard& board_;
  std::vector<constraint::InputRange> inputs_;
};

} // namespace faultline::search
