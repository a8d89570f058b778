// A campaign's Options, from what the command line and faultline.toml say, or from what a report has recorded.
#pragma once

#include "cli/command_line.h"
#include "finding/report.h"
#include "finding/settings/table.h"
#include "hunt/extents.h"
#include "report/screen.h"

#include <string>
#include <vector>

namespace faultline::cli {

// All of them. Folders are replaced by the C, C++ and Fortran files in them, sorted. `usual`: the command's defaults.
// Throws UserError, also for a source that does not exist.
campaign::Options options_from(const finding::Said& said, const CommandLine& line, const finding::Settings& usual = {});

// Findings that were saved, and whether whoever saved them is trusted with the flags of the compiler.
struct Saved {
  const finding::Report& report;
  std::string file;
  frontend::Trust trust = frontend::Trust::no;
};

// --trust-flags
frontend::Trust trust_in_flags(const finding::Said& said);

// The options of the hunt that made the report: without reading a file, which may have changed since. A report that
// says nothing of a configuration was made without one. Throws UserError.
campaign::Options as_recorded(const finding::Said& said, const CommandLine& line, const Saved& saved);

// Reads the values of one setting, to see whether they can be read. Throws UserError.
void check_values(const finding::Setting& setting, const std::vector<std::string>& values);

// -j N, or as many as there are processors. Throws UserError.
int jobs_from(const finding::Said& said, int usual);

// --allow-read, --unsafe-no-sandbox: what the code under test may do. Only the command line says it: files may be
// anybody's. Throws UserError.
exec::Confinement confinement_from(const finding::Said& said);

// What whoever types a command lets saved findings do.
struct Permissions {
  frontend::Trust trust = frontend::Trust::no;
  exec::Confinement confinement;
};
Permissions permissions_from(const finding::Said& said);

// --fail-on TIER: the command line's, or else the file's. Throws UserError.
finding::Tier fail_on(const finding::Said& said, const campaign::Options& options);

// -v, -q, --limit: what is shown on the terminal. Throws UserError.
report::Screen screen_from(const finding::Said& said);

// --baseline FILE and --corpus DIR: the command line's, or else the file's; empty if there is none.
std::string baseline_file(const finding::Said& said, const campaign::Options& options);
std::string corpus_folder(const finding::Said& said, const campaign::Options& options);
std::string seen_file(const finding::Said& said, const campaign::Options& options); // --seen FILE likewise

// Which file was read, in one line on standard error.
void tell_configuration(const campaign::Options& options);

// The files that the words SOURCE... mean.

// A file is itself; a folder is the C, C++, Fortran and FPCore files in it (not below it), sorted by name; no word is
// all that the compilation database lists (-p), if there is one. A file that is named twice, by another path or a link,
// is one. Throws UserError if there is no such file, or nothing to compile.
std::vector<std::string> source_files_of(const std::vector<std::string>& words, const std::string& database = {});

} // namespace faultline::cli
