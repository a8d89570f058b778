#include "finding/settings/fpcore_settings.h"

#include "finding/settings/table.h"
#include "frontend/error.h"
#include "frontend/fpcore/file.h"

#include <algorithm>

namespace faultline::finding {

void use_fpcore(const frontend::Target& target, Settings& settings) {
  if (!frontend::fpcore::is_fpcore(target.file))
    return;
  std::vector<frontend::fpcore::FunctionSaid> all;
  try {
    all = frontend::fpcore::said_in(target.file);
  } catch (const frontend::UserError&) { // it was read before, and has changed since
    return;
  }
  const auto own = std::ranges::find_if(all, [&](const frontend::fpcore::FunctionSaid& one) {
    return one.function == frontend::before_parameters(target.function) && one.line == target.line;
  });
  if (own == all.end())
    return;
  Said said;
  said.set("range", own->ranges);
  for (const auto& [name, range] : read_settings(said).ranges)
    if (!settings.ranges.contains("*"))
      settings.ranges.emplace(name, range); // unless the user says another
  if (!own->meaning.empty())
    settings.means.insert(settings.means.begin(), own->meaning);
}

} // namespace faultline::finding
