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

} // namespace

void add_seen(std::vector<model::Retry>& retries, const model::SeenRuns& runs, const model::Target& target,
              const model::Settings& settings) {
  const SeenFunction* seen = find_seen(runs, target);
  if (!seen)
    return;
  const search::Space space = judge::space_of(target, settings);
  const std::vector<size_t> inputs = seen_inputs(*seen, target);
  for (const SeenCall& call : seen->tuples)
    if (const std::optional<model::Input> input = input_of_call(call, inputs, *seen, target, space))
      retries.push_back({*input, settings.strategy, "seen"});
}

} // namespace faultline::hunt
