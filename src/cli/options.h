// The options that subcommands share, in groups, and the campaign's Options made from them.
//
// Arguments (cli/arguments.h) hold what was typed, as text: CLI11 only sorts words to options. The values are read in
// one place (read_settings), with messages of our own, whether they come from the command line, from faultline.toml or
// from a report.
#pragma once

#include "campaign/options.h"
#include "cli/arguments.h"
#include "cli/command.h"

#include <string>
#include <vector>

namespace faultline::cli {

void add_source_options(CLI::App& app, Arguments& arguments);  // SOURCE, -f, --size, --alias, -p, --config
void add_judging_options(CLI::App& app, Arguments& arguments); // --oracle, --reference, --output, --threshold, --ulps
void add_exploration_options(CLI::App& app,
                             Arguments& arguments);              // --range, --format, --hold, --budget, --evals, --seed
void add_search_options(CLI::App& app, Arguments& arguments);    // these, --for, --strategy, -j
void add_check_options(CLI::App& app, Arguments& arguments);     // --site, --sampling, --loss-bits, --cancel-bits
void add_exception_options(CLI::App& app, Arguments& arguments); // --status, --all
void add_hold_option(CLI::App& app, Arguments& arguments);
void add_report_option(CLI::App& app, std::vector<std::string>& files); // -o

// The command as a report records it: without -j, which changes how long a hunt takes and nothing that it finds.
std::vector<std::string> recorded(const std::vector<std::string>& typed);

// What the settings among the arguments say, on top of the options. Throws UserError.
void read_settings(const Arguments& arguments, campaign::Options& options);

// All but the settings: the sources, functions, processors, the command. Throws UserError, also for a source that does
// not exist. Folders are replaced by the C, C++ and Fortran files in them, sorted.
campaign::Options frame_from(const Arguments& arguments, const Line& line);

// All of them: those of the command line, and those of the faultline.toml that applies (cli/configured.h).
campaign::Options options_from(const Arguments& arguments, const Line& line);

} // namespace faultline::cli
