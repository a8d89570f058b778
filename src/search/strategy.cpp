#include "search/strategy.h"

#include "frontend/error.h"
#include "search/climb.h"
#include "search/few_inputs.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace faultline::search {

Quest Quest::within(const Space& other, Part which) const {
  Quest quest(evaluator, other, outputs, rng.fork(which == Part::everyday ? "everyday" : "rest"), *this);
  quest.part = which;
  quest.everyday = nullptr;
  return quest;
}

const std::vector<NamedStrategy>& strategies() {
  static const std::vector<NamedStrategy> all = {
      {"auto", search_auto, "brackets first, then samples from everywhere and evolution"},
      {"bracket", search_bracket, "danger zones bracketed and bisected to the last float, scored without an oracle"},
      {"random", search_random, "uniform sampling, scored by the residues' estimate of the error"},
      {"ga", search_ga, "a standard genetic algorithm on bits, guided by the measured error (control of ICSE 2015)"},
      {"lsga", search_lsga, "evolution of exponents, random significands, guided by the measured error (ICSE 2015)"},
      {"fpgen", search_fpgen, "many inputs: solved for cancellation, refined on the true error (ICSE 2020)"},
      {"s3fp", search_s3fp, "halving of ranges towards the larger measured error (PPoPP 2014)"},
      {"demc", search_demc, "differential evolution, then Markov chains, guided by the measured error (POPL 2019)"},
      {"atomu", search_atomu, "evolution towards large atomic conditions (POPL 2020)"},
      {"ariadne", search_ariadne,
       "exceptions, wherever an operation can raise one: sampled, approached, solved (POPL 2013)"},
      {"paths", search_paths, "one input for each path, found by solving path conditions (ICST 2013)"},
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

void check_strategy(const std::string& name) {
  if (!find_strategy(name))
    throw frontend::UserError(frontend::status_usage, fmt::format("--strategy {}: there is no such strategy", name),
                              fmt::format("one of {}", fmt::join(strategy_names(), ", ")));
}

std::vector<Candidate> search(const NamedStrategy& strategy, Quest& quest) {
  const std::optional<uint64_t> inputs = number_of_inputs(quest.space);
  if (!inputs || *inputs < 2)
    return strategy.run(quest); // strategies know what to do with one
  std::vector<Candidate> candidates = try_all_inputs(quest);
  if (quest.climbs)
    std::ranges::move(climb(quest), std::back_inserter(candidates));
  return candidates;
}

} // namespace faultline::search
