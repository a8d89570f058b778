#include "finding/settings/fpcore_settings.h"

#include "finding/settings/table.h"
#include "frontend/error.h"

namespace faultline::finding {

void FpcoreSettings::apply(const frontend::Target& target, Settings& settings) {
  if (!frontend::fpcore::is_fpcore(target.file))
    return;
  const auto [file, is_new] = files_.try_emplace(target.file);
  if (is_new) {
    try {
      for (frontend::fpcore::FunctionSaid& one : frontend::fpcore::said_in(target.file))
        file->second.emplace(std::pair(one.function, one.line), std::move(one));
    } catch (const frontend::UserError&) { // it was read before, and has changed since
    }
  }
  const auto own = file->second.find({frontend::before_parameters(target.function), target.line});
  if (own == file->second.end())
    return;
  Said said;
  said.set("range", own->second.ranges);
  for (const auto& [name, range] : read_settings(said).ranges)
    if (!settings.ranges.contains("*"))
      settings.ranges.emplace(name, range); // unless the user says another
  if (!own->second.meaning.empty())
    settings.means.insert(settings.means.begin(), own->second.meaning);
}

} // namespace faultline::finding
