// The evaluation suites behind `faultline bench`: one file each, and their common parts.
#pragma once

#include "cli/command_line.h"
#include "cli/parser.h"
#include "cli/writer.h"
#include "finding/csv_lines.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::suite {

// Rows that suites have in common (finding/settings/table.h), with the help text of each.
finding::Setting function_option(const char* help);
finding::Setting strategy_option(const char* usual);
finding::Setting budget_option(const char* key, const char* usual, const char* help);
finding::Setting evaluations_option(const char* usual, const char* help);
finding::Setting seed_option();
finding::Setting jobs_option(const char* what);
finding::Setting report_option();
finding::Setting quiet_option();

// The line does not include the suite's name.
int bench_gsl(const cli::CommandLine& line);
int bench_gsl_exceptions(const cli::CommandLine& line);

// A report and its file: .csv, or JSON.
struct BenchReport {
  cli::OutputFile file;
  bool csv;
};

// Returns the reports for the values of -o. Throws UserError for an unknown ending, a file that cannot be written, and
// a duplicate file.
std::vector<BenchReport> bench_reports(const std::vector<std::string>& files);

// The result of a suite in every format.
struct BenchTexts {
  std::function<std::string()> table, csv, json;
};

// Prints the table on standard output, unless a report goes there; writes the reports; returns the status.
int conclude(const std::vector<BenchReport>& reports, const BenchTexts& texts, bool interrupted);

// Reads a comma list, or "none". Defaults that this version lacks are dropped; names given by the user must exist.
// Throws UserError.
std::vector<std::string> bench_strategies(const char* option, const std::string& typed,
                                          const std::vector<std::string>& defaults);

// A table as comma-separated values (finding/csv_lines.h): a line of titles, then one line per row.
struct Csv {
  std::string name; // for messages
  std::vector<std::string> titles;
  std::vector<std::vector<std::string>> rows; // each as long as the titles

  // Throws frontend::UserError if there is no such title.
  size_t column(std::string_view title) const;
};

// Throws frontend::UserError with the line: no titles, a quote that is not closed, a row too long or too short.
Csv parse_csv(std::string_view text, const std::string& name);

using finding::csv_line;

// faultline-bench: selects the suite, and turns errors into messages and exit statuses like faultline.
int run(int argc, char** argv);

} // namespace faultline::suite
