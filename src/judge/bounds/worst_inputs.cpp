#include "judge/bounds/worst_inputs.h"

#include "judge/space_of_target.h"

namespace faultline::judge {

std::vector<exec::Input> worst_inputs(exec::Session& session, const finding::Settings& settings,
                                      const std::vector<size_t>& outputs, search::ErrorMeasure counted_in,
                                      uint64_t evaluations, double seconds) {
  search::Budget budget;
  budget.evaluations = evaluations;
  budget.seconds = seconds;
  search::Evaluator evaluator(session, budget, [](const exec::Input&, const exec::Run&, const tape::Tape&) {});
  const search::Space space = space_of(session.target(), settings);
  search::Quest quest{evaluator,
                      space,
                      outputs,
                      numeric::Rng(settings.seed).fork("bound"),
                      {.counted_in = counted_in, .use_all = true, .floor = settings.floor, .climbs = true}};
  std::vector<exec::Input> inputs;
  for (search::Candidate& candidate : search::search(*search::find_strategy("auto"), quest))
    inputs.push_back(std::move(candidate.input));
  return inputs;
}

} // namespace faultline::judge
