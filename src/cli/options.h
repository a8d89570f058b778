// Makes hunt::Options from the command line and faultline.toml, or from a report.
#pragma once

#include "cli/command_line.h"
#include "hunt/targets.h"
#include "model/report.h"
#include "model/settings/table.h"
#include "report/screen.h"

#include <string>
#include <vector>

namespace faultline::cli {

// Returns all options. Replaces folders by the C, C++ and Fortran files in them, sorted. `usual`: the command's
// defaults. Throws UserError, also for a source that does not exist.
hunt::Options options_from(const model::RawSettings& raw, const CommandLine& line, const model::Settings& usual = {});

// Saved findings, and whether the compiler flags in them are trusted.
struct Saved {
  const model::Report& report;
  std::string file;
  program::Trust trust = program::Trust::no;
};

// --trust-flags
program::Trust trust_in_flags(const model::RawSettings& raw);

// Returns the options of the hunt that made the report, without reading a faultline.toml, which may have changed since.
// A report without a configuration was made without one. Throws UserError.
hunt::Options as_recorded(const model::RawSettings& raw, const CommandLine& line, const Saved& saved);

// Checks that the values of one setting can be read. Throws UserError.
void check_values(const model::Setting& setting, const std::vector<std::string>& values);

// Applies --compile-time.
void limit_compilers(const model::RawSettings& raw);

// Returns the value of -j N, or `usual`. Throws UserError.
int jobs_from(const model::RawSettings& raw, int usual);

// Returns the permissions of the code under test: --allow-read, --unsafe-no-sandbox. They come from the command line
// alone, because files are not trusted. Throws UserError.
exec::Confinement confinement_from(const model::RawSettings& raw);

// The permissions that the command line grants to saved findings.
struct Permissions {
  program::Trust trust = program::Trust::no;
  exec::Confinement confinement;
};
Permissions permissions_from(const model::RawSettings& raw);

// --fail-on TIER from the command line, or else from the configuration. Throws UserError.
model::Tier fail_on(const model::RawSettings& raw, const hunt::Options& options);

// -v, -q, --limit: the extent of the report on the terminal. Throws UserError.
report::Screen screen_from(const model::RawSettings& raw);

// --baseline FILE and --corpus DIR from the command line, or else from the configuration; empty if there is none.
std::string baseline_file(const model::RawSettings& raw, const hunt::Options& options);
std::string corpus_folder(const model::RawSettings& raw, const hunt::Options& options);
std::string seen_file(const model::RawSettings& raw, const hunt::Options& options); // --seen FILE likewise

// Prints the name of the configuration file that was read, in one line on standard error.
void tell_configuration(const hunt::Options& options);

// Returns the files that the words SOURCE... select. A folder selects the C, C++, Fortran and FPCore files in it (not
// below it), sorted by name. No words select all files of the compilation database (-p), if there is one. A file that
// is given twice, by another path or a link, is returned once. Throws UserError if there is no such file, or nothing to
// compile.
std::vector<std::string> source_files_of(const std::vector<std::string>& words, const std::string& database = {});

// Reads the command line of faultline hunt, also for replay: a saved report contains the command that made it.
struct HuntRequest {
  hunt::Options options;
  std::string baseline, corpus, seen; // files; empty: none
  std::vector<std::string> reports;   // -o
  size_t vectors = 0;                 // --vectors
  bool no_plots = false;
  bool quiet = false;
  report::Screen screen;
};

// `saved`: the report that this command made. Its recorded configuration is used instead of a faultline.toml, which may
// have changed. Throws Help or UserError.
HuntRequest parse_hunt(const CommandLine& line, const Saved* saved = nullptr);

} // namespace faultline::cli
