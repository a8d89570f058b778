#include "search/ariadne/exception_questions.h"

#include "constraint/exception.h"
#include "search/input_ranges.h"

namespace faultline::search {

ExceptionQuestions::ExceptionQuestions(Evaluator& evaluator, const Space& space, ExceptionBoard& board)
    : evaluator_(evaluator), space_(space), board_(board), inputs_(input_ranges(space, evaluator.session().target())) {}

uint32_t ExceptionQuestions::record_of(const ExceptionBoard::Nearest& nearest, const tape::Tape& tape) const {
  uint32_t execution = 0;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.record(index).site == nearest.site && ++execution == nearest.execution)
      return index;
  return 0;
}

uint64_t cost(const solve::Result& result, uint64_t effort) {
  constexpr uint64_t answered = 20'000, records_of_effort = 50; // by the time that both take, roughly: guesses
  return result.answer == solve::Answer::unknown ? effort * records_of_effort : answered;
}

bool ExceptionQuestions::ask(size_t goal, int loop_bound, const QuestionLimits& limits, numeric::Rng& rng) {
  const ExceptionBoard::Nearest nearest = board_.goals()[goal].nearest();
  if (nearest.input.empty() || nearest.execution > uint32_t(loop_bound))
    return false;
  const tape::Tape tape = evaluator_.run(nearest.input);
  const uint32_t record = record_of(nearest, tape);
  if (record == 0)
    return false;
  const auto condition = constraint::exception_condition(tape, record, board_.goals()[goal].kind, inputs_,
                                                         constraint::Leaves::as_they_were, limits.terms);
  if (!condition)
    return false;
  solve::Question question{condition->system, limits.seconds, rng.next()};
  question.effort = limits.effort;
  question.in_process = true;
  question.near = {constraint::model_of(*condition, inputs_, nearest.input)};
  const solve::Result result = solve::solve_by_turns(limits.solvers, question);
  evaluator_.charge(cost(result, limits.effort));
  if (result.answer == solve::Answer::sat) {
    const Evaluator::FoundBy found_by(evaluator_, solve::known_name(result.solver));
    evaluator_.run(space_.with_own_values(constraint::input_of(*condition, inputs_, result.model, nearest.input)));
  }
  return true;
}

} // namespace faultline::search
