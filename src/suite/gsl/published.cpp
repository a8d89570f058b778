#include "suite/gsl/published.h"

#include "frontend/error.h"
#include "numeric/decimal.h"

#include <fmt/format.h>
#include <functional>

namespace faultline::suite {

using frontend::status_usage;
using frontend::UserError;

Csv published_csv(const Files& files, const std::string& name) {
  const auto file = files.find(name);
  if (file == files.end())
    throw UserError(status_usage, fmt::format("{} is missing among the published figures", name));
  return parse_csv(file->second, name);
}

namespace {

// An empty cell means that nothing was found: 0.
double number(const Csv& csv, const std::vector<std::string>& row, const std::string& title) {
  const std::string& cell = row[csv.column(title)];
  if (cell.empty())
    return 0;
  const std::optional<double> value = numeric::parse_double(cell);
  if (!value || !(*value >= 0))
    throw UserError(status_usage, fmt::format("{}: '{}' in column {} is not a measure", csv.name, cell, title));
  return *value;
}

Peer peer(const Csv& csv, const std::vector<std::string>& row, const std::string& tool) {
  Peer peer;
  peer.seconds = number(csv, row, tool + "_seconds");
  peer.largest_error = number(csv, row, tool + "_max_rel_err");
  peer.reported = uint64_t(number(csv, row, tool + "_inputs_reported"));
  peer.significant = uint64_t(number(csv, row, tool + "_inputs_significant"));
  if (row[csv.column(tool + "_max_rel_err")].empty())
    peer.unknown = peer.reported;
  return peer;
}

// Calls back for the row of each function in the file; functions of other studies are skipped.
void for_each_row(const Csv& csv, std::vector<GslFigures>& functions,
                  const std::function<void(GslFigures&, const std::vector<std::string>&)>& read) {
  const size_t name = csv.column("function");
  for (const std::vector<std::string>& row : csv.rows)
    for (GslFigures& figures : functions)
      if (figures.function == row[name])
        read(figures, row);
}

} // namespace

GslPublished gsl_published(const Files& files) {
  GslPublished published;
  const Csv functions = published_csv(files, "gsl_univariate.csv");
  for (const std::vector<std::string>& row : functions.rows)
    published.functions.emplace_back().function = row[functions.column("function")];

  const Csv measured = published_csv(files, "gsl_measured_peers.csv");
  for_each_row(measured, published.functions, [&](GslFigures& figures, const std::vector<std::string>& row) {
    figures.atomu = peer(measured, row, "atomu");
    figures.fpcc = peer(measured, row, "fpcc");
  });
  for (const bool significant : {true, false}) {
    const Csv paper = published_csv(files, significant ? "atomu_significant.csv" : "atomu_insignificant.csv");
    for_each_row(paper, published.functions, [&](GslFigures& figures, const std::vector<std::string>& row) {
      figures.paper = number(paper, row, "relative_error");
      figures.in_paper_significant = significant;
    });
  }
  const Csv totals = published_csv(files, "gsl_measured_totals.csv");
  for (const std::vector<std::string>& row : totals.rows) {
    const auto count = uint64_t(number(totals, row, "first_significant"));
    (row[totals.column("tool")] == "atomu" ? published.atomu_first_significant : published.fpcc_first_significant) =
        count;
  }
  return published;
}

} // namespace faultline::suite
