#include "hunt/seen/seen_inputs.h"

#include "judge/space_of_target.h"

#include <algorithm>

namespace faultline::campaign {

void add_seen(std::vector<finding::Retry>& retries, const finding::SeenRuns& runs, const frontend::Target& target,
              const finding::Settings& settings) {
  const finding::SeenFunction* seen = find_seen(runs, target);
  if (!seen)
    return;
  const search::Space space = judge::space_of(target, settings);
  for (const std::vector<long double>& tuple : seen->tuples)
    if (std::ranges::equal(space.dimensions, tuple, [](const search::Dimension& dimension, long double value) {
          return dimension.nearest(value) == value;
        }))
      retries.push_back({tuple, settings.strategy, "seen"});
}

} // namespace faultline::campaign
