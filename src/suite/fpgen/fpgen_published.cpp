#include "suite/fpgen/fpgen_published.h"

#include "frontend/error.h"
#include "numeric/decimal.h"
#include "suite/csv.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::suite {

using frontend::status_usage;
using frontend::UserError;

namespace {

double number(const Csv& csv, const std::vector<std::string>& row, const char* title) {
  const std::string& cell = row[csv.column(title)];
  const std::optional<double> value = numeric::parse_double(cell);
  if (!value || !(*value >= 0))
    throw UserError(status_usage, fmt::format("{}: '{}' in column {} is no measure", csv.name, cell, title));
  return *value;
}

} // namespace

double FpgenFigures::best() const { return std::max({random, s3fp, klee_float, fpgen}); }

// The limit tells where no error can be large: the two norms.
double FpgenFigures::to_reach() const { return limit_any < 1e-15 ? 2.5e-16 : best(); }

FpgenPublished fpgen_published(const Files& files) {
  FpgenPublished published;
  const Csv table = published_csv(files, "fpgen_table3.csv");
  for (const std::vector<std::string>& row : table.rows) {
    FpgenFigures& figures = published[row[table.column("benchmark")]];
    figures.random = number(table, row, "random");
    figures.s3fp = number(table, row, "s3fp");
    figures.klee_float = number(table, row, "klee_float");
    figures.fpgen = number(table, row, "fpgen");
  }
  const Csv limits = published_csv(files, "fpgen_limits.csv");
  for (const std::vector<std::string>& row : limits.rows) {
    const std::string& name = row[limits.column("benchmark")];
    const auto found = published.find(name);
    if (found == published.end())
      throw UserError(status_usage, fmt::format("{}: '{}' is no benchmark of {}", limits.name, name, table.name));
    found->second.limit_any = number(limits, row, "any");
    found->second.limit_nonzero = number(limits, row, "nonzero");
  }
  for (const auto& [name, figures] : published)
    if (!(figures.limit_any > 0 && figures.limit_nonzero > 0))
      throw UserError(status_usage, fmt::format("{}: there is no limit of {}", limits.name, name));
  return published;
}

} // namespace faultline::suite
