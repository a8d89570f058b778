#include "hunt/blank_report.h"

#include "finding/settings/table.h"
#include "finding/version.h"
#include "judge/number.h"
#include "judge/space_of_target.h"

#include <fmt/format.h>

namespace faultline::campaign {

using finding::Report;
using finding::TargetReport;

Report blank_report(const Options& options) {
  Report report;
  report.version = finding::version;
  report.command = options.command;
  report.seed = options.settings.seed;
  if (options.configuration)
    report.configuration = {options.configuration->file, options.configuration->flags};
  return report;
}

std::vector<finding::InputRange> searched_ranges(const frontend::Target& target, const finding::Settings& settings) {
  std::vector<finding::InputRange> ranges;
  const search::Space space = judge::space_of(target, settings);
  for (size_t i = 0; i < space.dimensions.size(); ++i) {
    const search::Dimension& dimension = space.dimensions[i];
    const frontend::Type& type = target.inputs[i].type;
    ranges.push_back({dimension.name, type.name(), judge::number_of(dimension.low, type).decimal,
                      judge::number_of(dimension.high, type).decimal});
  }
  return ranges;
}

TargetReport refused_report(const frontend::Target& target) {
  TargetReport report;
  report.function = target.function;
  report.file = target.file;
  report.line = target.line;
  report.outcome = finding::TargetOutcome::refused;
  report.note = target.unsuitable;
  return report;
}

void take_refusal(const frontend::UserError& error, TargetReport& report) {
  const bool refused = error.status == frontend::status_unsuitable;
  report.outcome = refused ? finding::TargetOutcome::refused : finding::TargetOutcome::unknown;
  report.note = error.hint.empty() ? error.what() : fmt::format("{}; {}", error.what(), error.hint);
}

TargetReport blank_report(const frontend::Target& target, const finding::Settings& settings) {
  TargetReport report;
  report.function = target.function;
  report.file = target.file;
  report.line = target.line;
  report.settings = words_of(said_by(settings));
  report.shows_all = settings.all;
  const search::Space space = judge::space_of(target, settings);
  for (size_t i = 0; i < target.inputs.size(); ++i) {
    const search::Dimension& dimension = space.dimensions[i];
    std::string format =
        dimension.floating ? std::string(numeric::info(dimension.format).name) : target.inputs[i].type.name();
    report.inputs.push_back({dimension.name, format, judge::range_end(dimension.low, dimension),
                             judge::range_end(dimension.high, dimension),
                             judge::is_assumed(target.inputs[i], target, settings)});
    for (const long double value : dimension.values)
      report.inputs.back().values.push_back(int64_t(value));
  }
  return report;
}

} // namespace faultline::campaign
