#include "hunt/recording.h"

#include "judge/space_of_target.h"

#include <optional>

namespace faultline::hunt {

using model::SeenCall;
using model::SeenFunction;
using numeric::Value;

namespace {

// The input of the target for a recorded call: of a longer array its first elements, with lengths as they are held.
// Nothing if the call does not fit.
std::optional<model::Input> input_of_call(const SeenCall& call, const std::vector<size_t>& inputs,
                                          const SeenFunction& seen, const model::Target& target,
                                          const search::Space& space) {
  model::Input input;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<Value>& values = call[inputs[i]];
    const search::Dimension& dimension = space.dimensions[i];
    const auto element = seen.inputs[inputs[i]].is_array ? model::array_cell(target.inputs[i].name) : std::nullopt;
    const size_t index = element ? element->index : 0;
    if (index >= values.size())
      return {};
    const bool is_length = !dimension.floating && dimension.held();
    input.push_back(is_length ? dimension.low : values[index]);
    if (dimension.nearest(input.back()) != input.back())
      return {};
  }
  return input;
}

// Legal inputs around a call, at distances from a few units in the last place to a tenth.
void add_around(std::vector<model::Retry>& retries, const model::Input& call, const search::Space& space,
                const std::string& strategy, numeric::Rng& rng) {
  for (const Value distance : {1e-15L, 1e-12L, 1e-9L, 1e-6L, 1e-3L, 1e-1L}) {
    model::Input moved = call;
    for (size_t i = 0; i < moved.size(); ++i)
      if (const search::Dimension& dimension = space.dimensions[i]; dimension.floating && !dimension.held())
        moved[i] = dimension.nearest(moved[i] * (1 + distance * Value(rng.uniform(-1, 1))));
    retries.push_back({space.legal(moved), strategy, "near"});
  }
}

} // namespace

void add_seen(std::vector<model::Retry>& retries, const model::SeenRuns& runs, const model::Target& target,
              const model::Settings& settings, bool near) {
  const SeenFunction* seen = find_seen(runs, target);
  if (!seen)
    return;
  const search::Space space = judge::space_of(target, settings);
  const std::vector<size_t> inputs = seen_inputs(*seen, target);
  numeric::Rng rng = numeric::Rng(settings.seed).fork("near recorded calls");
  for (const SeenCall& call : seen->tuples)
    if (const std::optional<model::Input> input = input_of_call(call, inputs, *seen, target, space)) {
      retries.push_back({space.legal(*input), settings.strategy, "seen"});
      if (near)
        add_around(retries, *input, space, settings.strategy, rng);
    }
}

} // namespace faultline::hunt
