#include "suite/csv.h"

#include "frontend/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::suite {

using frontend::status_usage;
using frontend::UserError;

size_t Csv::column(std::string_view title) const {
  const auto found = std::ranges::find(titles, title);
  if (found == titles.end())
    throw UserError(status_usage, fmt::format("{}: there is no column '{}'", name, title));
  return size_t(found - titles.begin());
}

Csv parse_csv(std::string_view text, const std::string& name) {
  const auto refuse = [&](size_t line, const std::string& why) {
    throw UserError(status_usage, fmt::format("{}:{}: {}", name, line, why),
                    "cells with commas or quotes stand in double quotes");
  };
  Csv csv;
  csv.name = name;
  finding::CsvLines lines(text, refuse);
  if (lines.at_end())
    refuse(0, "there are no titles");
  csv.titles = lines.cells();
  while (!lines.at_end()) {
    csv.rows.push_back(lines.cells());
    if (csv.rows.back().size() != csv.titles.size())
      refuse(lines.line(), fmt::format("{} cells under {} titles", csv.rows.back().size(), csv.titles.size()));
  }
  return csv;
}

} // namespace faultline::suite
