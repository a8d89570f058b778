#include "cli/run.h"

#include "cli/commands.h"
#include "cli/parser.h"
#include "finding/version.h"
#include "frontend/error.h"
#include "frontend/nearest.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

struct Command {
  const char* name;
  int (*run)(const CommandLine&);
  const char* synopsis;
  const char* summary;
};
constexpr Command commands[] = {
    {"hunt", hunt, "SOURCE... [-f FUNCTION]...", "find inputs that break the functions in these files"},
    {"explain", explain, "SOURCE -f FUNCTION --at x=1e-7", "every operation of one run, and who caused the error"},
    {"list", list, "SOURCE...", "the functions it can hunt in, their inputs, sites and outputs"},
    {"replay", replay, "FINDINGS.json", "run saved findings again"},
    {"report", report, "FINDINGS.json [-o FILE]", "render saved findings"},
    {"bench", bench, "SUITE [DIR] [-o FILE]", "run an evaluation suite: gsl, gsl-exceptions, fpgen, fpse, smt"},
    {"cover", cover, "SOURCE -f FUNCTION [-o tests.cpp]",
     "an input for each branch outcome, or a proof that there is none"},
    {"solve", solve, "FILE.smt2 [--solver NAME]", "sat, unsat or unknown: floating-point constraints from a file"},
    {"worker", worker, "JOB.json", "run one job of hunt --write-jobs, and print its messages as lines of JSON"},
};

std::string help_text() {
  std::string text = "faultline finds the inputs on which numerical code breaks, and names the line at fault.\n\n"
                     "Usage: faultline COMMAND ... [-- COMPILER-FLAGS]\n\nCommands:\n";
  for (const Command& command : commands)
    text += fmt::format("  {:8} {:32} {}\n", command.name, command.synopsis, command.summary);
  return text + R"(
Options:
  -h, --help     this text; faultline COMMAND --help tells more
  --version      the version

Examples:
  faultline list foo.c                        what is there to hunt in
  faultline hunt foo.c                        all suitable functions, 10 s each at most
  faultline hunt foo.c -f foo -o foo.json     one function, and a report for scripts
  faultline explain foo.c -f foo --at x=1e-7  operation by operation
  faultline replay foo.json                   is it still there?

Exit status: 0 nothing found, 1 findings, 2 wrong usage, 3 the code does not compile or has no suitable function,
4 inconclusive, 70 internal error.
)";
}

int dispatch(const std::vector<std::string>& typed) {
  if (typed.empty())
    throw UserError(status_usage, "no command given", "faultline hunt SOURCE, or faultline --help");
  const std::string& name = typed.front();
  if (name == "--help" || name == "-h" || name == "help")
    throw Help{help_text()};
  if (name == "--version")
    throw Help{fmt::format("faultline {}\n", finding::version)};
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (name == command.name)
      return command.run(line_of(typed));
    names.emplace_back(command.name);
  }
  const std::vector<std::string> close = frontend::nearest(name, names);
  throw UserError(status_usage, fmt::format("unknown command '{}'", name),
                  close.empty() ? fmt::format("one of {}", fmt::join(names, ", "))
                                : fmt::format("{}", fmt::join(close, ", ")));
}

void complain(const UserError& error) {
  fmt::print(stderr, "faultline: error: {}\n", error.what());
  std::istringstream hints(error.hint);
  for (std::string hint; std::getline(hints, hint);)
    fmt::print(stderr, "  try: {}\n", hint);
}

} // namespace

int guarded(const std::function<int()>& work) {
  try {
    return work();
  } catch (const Help& help) {
    std::fputs(help.text.c_str(), stdout);
    return std::fflush(stdout) == 0 ? frontend::status_nothing : status_usage;
  } catch (const UserError& error) {
    complain(error);
    return error.status;
  } catch (const std::exception& error) {
    fmt::print(stderr, "faultline: internal error: {}, please report\n", error.what());
  } catch (...) {
    fmt::print(stderr, "faultline: internal error: unknown exception, please report\n");
  }
  return frontend::status_internal;
}

int run(int argc, char** argv) {
  if (argc > 0)
    set_program_name(argv[0]);
  return guarded([&] { return dispatch(std::vector<std::string>(argv + std::min(argc, 1), argv + argc)); });
}

} // namespace faultline::cli
