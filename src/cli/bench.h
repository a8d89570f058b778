// The evaluation suites behind `faultline bench`: a file each, and what they share.
#pragma once

#include "cli/command.h"
#include "report/output_file.h"

#include <functional>
#include <string>
#include <vector>

namespace faultline::cli {

// Of a suite that was interrupted.
inline constexpr int status_inconclusive = 4;

// The line is without the suite's name.
int bench_gsl(const Line& line);
int bench_gsl_exceptions(const Line& line);
int bench_fpgen(const Line& line);
int bench_fpse(const Line& line);
int bench_smt(const Line& line);

// A report and where it goes: .csv, or JSON.
struct BenchReport {
  report::OutputFile file;
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

} // namespace faultline::cli
