// The subcommands. Each takes its command line and returns the exit status.
#pragma once

#include "cli/command_line.h"

namespace faultline::cli {

int hunt(const CommandLine& line);
int list(const CommandLine& line);
int explain(const CommandLine& line);
int exact(const CommandLine& line);
int replay(const CommandLine& line);
int report(const CommandLine& line);
int campaign(const CommandLine& line);
int bench(const CommandLine& line);
int bound(const CommandLine& line);
int check(const CommandLine& line);
int cover(const CommandLine& line);
int harness(const CommandLine& line);
int export_fpcore(const CommandLine& line);
int record(const CommandLine& line);
int solve(const CommandLine& line);
int vectors(const CommandLine& line);
int worker(const CommandLine& line);
int cc(const CommandLine& line); // only its help; cli/cc.h starts the command itself
int help(const CommandLine& line);
int completion(const CommandLine& line);

} // namespace faultline::cli
