// The options that subcommands share, in groups, and the campaign's Options made from them.
//
// Arguments holds what was typed, as text: CLI11 only sorts words to options. The values are read in one place
// (options_from), with messages of our own, and replay reads a saved command in the same way.
#pragma once

#include "campaign/options.h"
#include "cli/command.h"

#include <string>
#include <vector>

namespace faultline::cli {

struct Arguments {
  std::vector<std::string> sources, functions, sizes, aliases, ranges, formats, held, outputs, bounds, sites;
  std::string database, wanted, strategy, oracle, reference, threshold, ulps, budget, evaluations, seed, jobs;
  std::string bound_factor, floor, sampling, sampling_start, sampling_step, loss_bits, cancel_bits;
  std::string status;
  bool nonzero = false, all = false;
  std::string corpus; // known, but not in this version
};

void add_source_options(CLI::App& app, Arguments& arguments);  // SOURCE, -f, --size, --alias, -p
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

// `strategies` are the names this version knows. Throws UserError, also for a source that does not exist. Folders are
// replaced by the C, C++ and Fortran files in them, sorted.
campaign::Options options_from(const Arguments& arguments, const Line& line,
                               const std::vector<std::string>& strategies);

} // namespace faultline::cli
