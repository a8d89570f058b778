#include "hunt/exporting.h"

#include "frontend/fpcore_export/exported.h"
#include "hunt/targets/targets.h"

namespace faultline::campaign {

Exported export_fpcore(const Options& options) {
  Options own = options;
  own.sources.as_written = true; // its loops as the source has them
  own.sources.preconditions = frontend::fpcore::Preconditions::left_out;
  frontend::Program program = load_program(own);
  Exported exported{single_target(program, own), {}, {}};
  exported.settings = settings_for(exported.target, own);
  frontend::fpcore::ExportedWith with{{}, exported.settings.held};
  for (const auto& [name, range] : exported.settings.ranges)
    with.ranges[name] = {range.low, range.high};
  exported.text = frontend::fpcore::exported(program.bitcode_of({exported.target.symbol}), exported.target, with);
  return exported;
}

} // namespace faultline::campaign
