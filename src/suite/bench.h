// The evaluation suites behind `faultline bench`: a file each, and what they share.
#pragma once

#include "cli/command_line.h"
#include "cli/output_file.h"
#include "cli/parser.h"

#include <functional>
#include <string>
#include <vector>

namespace faultline::suite {

// Rows that suites have in common (finding/settings/table.h), with what is particular to each.
finding::Setting function_option(const char* help);
finding::Setting strategy_option(const char* usual);
finding::Setting budget_option(const char* key, const char* usual, const char* help);
finding::Setting evaluations_option(const char* usual, const char* help);
finding::Setting seed_option();
finding::Setting jobs_option(const char* what);
finding::Setting report_option();
finding::Setting quiet_option();

// The line is without the suite's name.
int bench_gsl(const cli::CommandLine& line);
int bench_gsl_exceptions(const cli::CommandLine& line);
int bench_fpgen(const cli::CommandLine& line);
int bench_fpse(const cli::CommandLine& line);
int bench_bounds(const cli::CommandLine& line);
int bench_fpcore(const cli::CommandLine& line);
int bench_smt(const cli::CommandLine& line);

// A report and where it goes: .csv, or JSON.
struct BenchReport {
  cli::OutputFile file;
  bool csv;
};

// From what -o was given. Throws UserError: an ending that says nothing, a file that cannot be written, one given
// twice.
std::vector<BenchReport> bench_reports(const std::vector<std::string>& files);

// What a suite has to say, in every form.
struct BenchTexts {
  std::function<std::string()> table, csv, json;
};

// The table on standard output, unless a report goes there; the reports; and the status.
int conclude(const std::vector<BenchReport>& reports, const BenchTexts& texts, bool interrupted);

// From a comma list, or "none". Of the defaults, those that this version has; what the user names must be there. Throws
// UserError.
std::vector<std::string> bench_strategies(const char* option, const std::string& typed,
                                          const std::vector<std::string>& defaults);

} // namespace faultline::suite
