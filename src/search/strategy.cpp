#include "search/strategy.h"

namespace faultline::search {

const std::vector<NamedStrategy>& strategies() {
  static const std::vector<NamedStrategy> all = {
      {"auto", search_auto, "the default: a short random search, then atomu"},
      {"random", search_random, "uniform sampling, scored by the adjoint's estimate of the error"},
      {"atomu", search_atomu, "evolution towards large atomic conditions (POPL 2020)"},
  };
  return all;
}

const NamedStrategy* find_strategy(const std::string& name) {
  for (const NamedStrategy& strategy : strategies())
    if (name == strategy.name)
      return &strategy;
  return nullptr;
}

std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const NamedStrategy& strategy : strategies())
    names.emplace_back(strategy.name);
  return names;
}

} // namespace faultline::search
