#include "campaign/blank_report.h"

#include "campaign/configuration.h"
#include "campaign/number.h"
#include "campaign/space_of_target.h"
#include "campaign/version.h"

namespace faultline::campaign {

std::string range_end(long double value, const search::Dimension& dimension) {
  frontend::Type type;
  type.floating = dimension.floating;
  type.format = dimension.format;
  return number_of(value, type).decimal;
}

Report blank_report(const Options& options) {
  Report report;
  report.version = version;
  report.command = options.command;
  report.seed = options.seed;
  if (options.configuration)
    report.configuration = {options.configuration->file(), options.configuration->flags()};
  return report;
}

TargetReport blank_report(const frontend::Target& target, const Options& options) {
  TargetReport report;
  report.function = target.function;
  report.file = target.file;
  report.line = target.line;
  report.settings = options.settings;
  const search::Space space = space_of(target, options);
  for (size_t i = 0; i < target.inputs.size(); ++i) {
    const search::Dimension& dimension = space.dimensions[i];
    std::string format =
        dimension.floating ? std::string(numeric::info(dimension.format).name) : target.inputs[i].type.name();
    report.inputs.push_back({dimension.name, format, range_end(dimension.low, dimension),
                             range_end(dimension.high, dimension), is_assumed(target.inputs[i], target, options)});
  }
  return report;
}

} // namespace faultline::campaign
