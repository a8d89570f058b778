#include "constraint/path_condition.h"

#include "constraint/tape_terms.h"

namespace faultline::constraint {

std::optional<PathCondition> path_condition(const tape::Tape& tape, std::span<const tape::Branch> decisions,
                                            const Turn& turn, std::span<const InputRange> inputs, Leaves leaves,
                                            size_t most_terms) {
  TapeTerms terms(tape, inputs, leaves);
  std::vector<uint32_t> records;
  for (const tape::Branch& decision : decisions.first(turn.place + 1))
    records.push_back(decision.record);
  if (!terms.read(records, most_terms))
    return std::nullopt;
  System& system = terms.system();
  for (const tape::Branch& decision : decisions.first(turn.place))
    if (const auto condition = terms.condition(decision, decision.outcome))
      system.assert_true(*condition);
  for (const int64_t outcome : turn.not_these) {
    const auto condition = terms.condition(decisions[turn.place], outcome);
    if (!condition)
      return std::nullopt;
    system.assert_true(system.negate(*condition));
  }
  if (turn.to)
    if (const auto condition = terms.condition(decisions[turn.place], *turn.to))
      system.assert_true(*condition);
  terms.restrict_inputs();
  return std::move(terms.result());
}

Model model_of(const PathCondition& condition, std::span<const InputRange> inputs,
               std::span<const long double> values) {
  Model model(condition.system.variables().size());
  for (size_t i = 0; i < inputs.size(); ++i)
    model[i] = numeric::bits_of(values[i], format_of(inputs[i]));
  return model;
}

std::vector<long double> input_of(const PathCondition& condition, std::span<const InputRange> inputs,
                                  const Model& model, std::span<const long double> otherwise) {
  std::vector<char> used(inputs.size());
  for (const Node& node : condition.system.nodes())
    for (int i = 0; i < operand_count(node); ++i)
      if (const Node& operand = condition.system.node(node.operands[i]);
          operand.form == Form::variable && operand.value < inputs.size())
        used[size_t(operand.value)] = true;
  std::vector<long double> values(otherwise.begin(), otherwise.end());
  for (size_t i = 0; i < inputs.size(); ++i)
    if (used[i])
      values[i] = numeric::long_double_of(model[i], format_of(inputs[i]));
  return values;
}

} // namespace faultline::constraint
