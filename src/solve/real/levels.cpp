#include "solve/real/levels.h"

#include "constraint/evaluate.h"

#include <algorithm>

namespace faultline::solve {

Levels::Levels(const System& system, std::span<const size_t> order)
    : system_(system), order_(order.begin(), order.end()), level_of_(system.size()), levels_(order.size() + 1) {
  std::vector<uint32_t> place(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    place[order[i]] = uint32_t(i + 1);
  std::vector<bool> needed(system.size());
  for (const Term term : system.assertions())
    needed[term] = true;
  for (Term term = Term(system.size()); term-- > 0;)
    if (needed[term])
      for (int i = 0; i < operand_count(system.node(term)); ++i)
        needed[system.node(term).operands[size_t(i)]] = true;
  for (const constraint::Variable& variable : system.variables())
    levels_[place[size_t(system.node(variable.term).value)]].terms.push_back(variable.term);
  for (Term term = 0; term < system.size(); ++term) {
    const Node& node = system.node(term);
    if (node.form == Form::variable) {
      level_of_[term] = place[size_t(node.value)];
      continue;
    }
    for (int i = 0; i < operand_count(node); ++i)
      level_of_[term] = std::max(level_of_[term], level_of_[node.operands[size_t(i)]]);
    if (needed[term])
      levels_[level_of_[term]].terms.push_back(term);
  }
  for (const Term term : system.assertions())
    levels_[level_of_[term]].assertions.push_back(term);
}

void Levels::evaluate(size_t level, Bits variable, std::vector<Bits>& values) const {
  for (const Term term : levels_[level].terms) {
    const Node& node = system_.node(term);
    if (node.form == Form::variable)
      values[term] = variable;
    else if (node.form == Form::constant)
      values[term] = node.value;
    else
      values[term] =
          constraint::evaluate(node, system_.sort(node.operands[0]),
                               {values[node.operands[0]], values[node.operands[1]], values[node.operands[2]]});
  }
}

bool Levels::hold(size_t level, const std::vector<Bits>& values) const {
  const auto& assertions = levels_[level].assertions;
  return std::all_of(assertions.begin(), assertions.end(), [&](Term term) { return values[term] != 0; });
}

} // namespace faultline::solve
