// Makes campaign::Options from the command line and faultline.toml, or from a report.
#pragma once

#include "cli/command_line.h"
#include "finding/report.h"
#include "finding/settings/table.h"
#include "hunt/extents.h"
#include "report/screen.h"

#include <string>
#include <vector>

namespace faultline::cli {

// Returns all options. Replaces folders by the C, C++ and Fortran files in them, sorted. `usual`: the command's
// defaults. Throws UserError, also for a source that does not exist.
campaign::Options options_from(const finding::Said& said, const CommandLine& line, const finding::Settings& usual = {});

// Saved findings, and whether the compiler flags in them are trusted.
struct Saved {
  const finding::Report& report;
  std::string file;
  frontend::Trust trust = frontend::Trust::no;
};

// --trust-flags
frontend::Trust trust_in_flags(const finding::Said& said);

// Returns the options of the hunt that made the report, without reading a faultline.toml, which may have changed since.
// A report without a configuration was made without one. Throws UserError.
campaign::Options as_recorded(const finding::Said& said, const CommandLine& line, const Saved& saved);

// Checks that the values of one setting can be read. Throws UserError.
void check_values(const finding::Setting& setting, const std::vector<std::string>& values);

// Applies --compile-time.
void limit_compilers(const finding::Said& said);

// Returns the value of -j N, or `usual`. Throws UserError.
int jobs_from(const finding::Said& said, int usual);

// Returns the permissions of the code under test: --allow-read, --unsafe-no-sandbox. They come from the command line
// alone, because files are not trusted. Throws UserError.
exec::Confinement confinement_from(const finding::Said& said);

// The permissions that the command line grants to saved findings.
struct Permissions {
  frontend::Trust trust = frontend::Trust::no;
  exec::Confinement confinement;
};
Permissions permissions_from(const finding::Said& said);

// --fail-on TIER from the command line, or else from the configuration. Throws UserError.
finding::Tier fail_on(const finding::Said& said, const campaign::Options& options);

// -v, -q, --limit: the extent of the report on the terminal. Throws UserError.
report::Screen screen_from(const finding::Said& said);

// --baseline FILE and --corpus DIR from the command line, or else from the configuration; empty if there is none.
std::string baseline_file(const finding::Said& said, const campaign::Options& options);
std::string corpus_folder(const finding::Said& said, const campaign::Options& options);
std::string seen_file(const finding::Said& said, const campaign::Options& options); // --seen FILE likewise

// Prints the name of the configuration file that was read, in one line on standard error.
void tell_configuration(const campaign::Options& options);

// Returns the files that the words SOURCE... select. A folder selects the C, C++, Fortran and FPCore files in it (not
// below it), sorted by name. No words select all files of the compilation database (-p), if there is one. A file that
// is given twice, by another path or a link, is returned once. Throws UserError if there is no such file, or nothing to
// compile.
std::vector<std::string> source_files_of(const std::vector<std::string>& words, const std::string& database = {});

} // namespace faultline::cli
