#include "search/paths/path_question.h"

#include "tape/path.h"

#include <algorithm>

namespace faultline::search {

using constraint::Leaves;

PathAnswer ask(Evaluator& evaluator, const PathQuestion& question, const std::vector<constraint::InputRange>& inputs,
               const PathsLimits& limits, numeric::Rng& rng) {
  PathAnswer answer;
  const PathTree::Node& node = question.node;
  const tape::Tape tape = evaluator.run(node.input);
  const std::vector<tape::Branch> decisions = tape::path(tape);
  if (decisions.size() <= node.place || decisions[node.place].site != node.site) {
    answer.result.reason = "the run is not repeatable";
    return answer;
  }
  const auto condition = constraint::path_condition(tape, decisions, {node.place, question.not_these, question.to},
                                                    inputs, question.leaves, limits.terms);
  if (!condition) {
    answer.result.reason = "there is no path condition";
    return answer;
  }
  answer.asked = true;
  answer.leaves = condition->leaves;
  solve::Question asked{condition->system, limits.question_seconds, rng.next()};
  asked.effort = question.effort;
  asked.in_process = true;
  exec::Input near = node.input;
  for (size_t i = 0; i < near.size(); ++i)
    near[i] = std::clamp(near[i], inputs[i].low, inputs[i].high);
  if (question.leaves == Leaves::as_they_were)
    asked.near = {constraint::model_of(*condition, inputs, near)};
  answer.result = solve::solve_by_turns(limits.solvers, asked);
  if (limits.cost)
    evaluator.charge(limits.cost(answer.result, question.effort));
  if (answer.result.answer == solve::Answer::sat && question.leaves == Leaves::as_they_were)
    answer.input = constraint::input_of(*condition, inputs, answer.result.model, near);
  return answer;
}

} // namespace faultline::search
