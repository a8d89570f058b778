#include "hunt/list.h"

#include "frontend/alias.h"
#include "frontend/size.h"
#include "hunt/targets/targets.h"
#include "instrument/count.h"
#include "judge/space_of_target.h"

#include <fmt/format.h>

namespace faultline::campaign {

using finding::ListedTarget;
using frontend::Target;

Listing list(const Options& options) {
  frontend::Program program = load_program(options);
  Listing listing{{}, program.captured()};
  if (const std::string left_out = program.left_out_remark(); options.tell && !left_out.empty())
    options.tell(left_out);
  if (options.tell && !program.without_harness().empty())
    options.tell(program.without_harness());
  std::vector<Target> targets = targets_of(program, options, Fit::anything);
  frontend::check_aliases(targets, options.settings.aliases);
  frontend::check_sizes(targets, options.settings.sizes);
  for (Target& target : targets) {
    const finding::Settings own = settings_for(target, options);
    if (own.skip && !by_name(options) && target.huntable()) {
      target.unsuitable = fmt::format("{} says skip", options.configuration->file);
      target.obstacle = frontend::Obstacle::skipped;
    }
    const uint64_t sites = target.huntable() ? instrument::count_sites(program, target.symbol) : 0;
    std::map<std::string, std::string> held;
    std::map<std::string, std::vector<int64_t>> values;
    for (const search::Dimension& dimension : judge::space_of(target, own).dimensions)
      if (!dimension.floating && dimension.held() && (target.suitable() || own.held.contains(dimension.name)))
        held[dimension.name] = judge::range_end(dimension.low, dimension);
      else if (!dimension.values.empty())
        values[dimension.name].assign(dimension.values.begin(), dimension.values.end());
    listing.targets.push_back({std::move(target), sites, std::move(held), std::move(values)});
  }
  return listing;
}

} // namespace faultline::campaign
