#include "cli/command_line.h"

#include "base/error.h"
#include "cli/parser.h"
#include "model/report.h"
#include "model/settings/table.h"
#include "report/text.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <new>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

namespace faultline::cli {

using base::status_usage;
using base::UserError;

namespace {

int dispatch(const std::vector<std::string>& typed) {
  if (typed.empty())
    throw UserError(status_usage, "no command given", "faultline hunt SOURCE, or faultline --help");
  const std::string& name = typed.front();
  if (name == "--help" || name == "-h")
    throw Help{general_help()};
  if (name == "--version")
    throw Help{fmt::format("faultline {}\n", model::version)};
  return command_named(name).run(line_of(typed));
}

void complain(const UserError& error) {
  const char* before = "faultline: error: ";
  std::istringstream lines(error.what());
  for (std::string line; std::getline(lines, line); before = "")
    fmt::print(stderr, "{}{}\n", before, report::printable(line)); // a text from a file must not control the terminal
  std::istringstream hints(error.hint);
  for (std::string hint; std::getline(hints, hint);)
    fmt::print(stderr, "  try: {}\n", report::printable(hint));
}

} // namespace

int guarded(const std::function<int()>& work) {
  try {
    return work();
  } catch (const Help& help) {
    std::fputs(help.text.c_str(), stdout);
    return std::fflush(stdout) == 0 ? base::status_nothing : status_usage;
  } catch (const UserError& error) {
    complain(error);
    return error.status;
  } catch (const std::exception& problem) {
    const UserError error = base::unexpected(problem);
    complain(error);
    return error.status;
  } catch (...) {
    fmt::print(stderr, "faultline: internal error: unknown exception, please report\n");
  }
  return base::status_internal;
}

namespace {

// Corrects what a parent can leave to the processes that it starts (execve(2)).
void correct_inheritance() {
  std::signal(SIGCHLD, SIG_DFL);    // if it is ignored, the ends of children cannot be waited for
  std::signal(SIGXFSZ, [](int) {}); // writing fails instead; compilers have the default again
  // No file gets the number of a standard stream that is closed, and messages may be written.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1)
      open("/dev/null", O_RDWR);                                 // takes the first free number, which is this
  constexpr rlim_t least_stack = 1 << 20, usual_stack = 8 << 20; // the first is a guess
  rlimit stack = {};
  getrlimit(RLIMIT_STACK, &stack);
  if (stack.rlim_cur >= least_stack)
    return;
  if (stack.rlim_max < least_stack)
    throw UserError(base::status_inconclusive, fmt::format("the stack has a limit of {} KiB", stack.rlim_max >> 10),
                    "ulimit -s 8192");
  stack.rlim_cur = std::min(stack.rlim_max, usual_stack);
  setrlimit(RLIMIT_STACK, &stack);
}

} // namespace

int run(int argc, char** argv) {
  if (argc > 0)
    set_program_name(argv[0]);
  return guarded([&] {
    correct_inheritance();
    return dispatch(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  });
}

namespace {

namespace takes = model::command;

constexpr Command commands[] = {
    {"hunt", hunt, "SOURCE... [-f FUNCTION]...", "find inputs that break the functions in these files", Operand::files,
     takes::hunt},
    {"explain", explain, "SOURCE -f FUNCTION --at x=1e-7", "show one run, operation by operation", Operand::files,
     takes::explain},
    {"fix", fix, "SOURCE [-f FUNCTION] [-o FILE.patch]", "write a repair of each problem as a diff, after a trial",
     Operand::files, takes::fix},
    {"list", list, "SOURCE...", "list the functions that can be tested", Operand::files, takes::list},
    {"replay", replay, "FINDINGS.json", "run saved findings again", Operand::files, takes::replay},
    {"report", report, "FINDINGS.json|RANKS... [-o FILE]", "render saved findings; merge the ranks of a run",
     Operand::files, takes::report},
    {"bench", bench, "SUITE [DIR] [-o FILE]", "run an evaluation suite: gsl, gsl-exceptions, fpgen, fpse, bounds, smt",
     Operand::suites, takes::none},
    {"cover", cover, "SOURCE -f FUNCTION [-o tests.cpp]",
     "find an input for each branch outcome, or prove that there is none", Operand::files, takes::cover},
    {"bound", bound, "SOURCE -f FUNCTION --range x=LO:HI...", "prove how large the error can be over a range",
     Operand::files, takes::bound},
    {"check", check, "FILE.proof.json [SOURCE]", "verify a certificate of bound -o FILE.proof.json", Operand::files,
     takes::check},
    {"vectors", vectors, "FILE.csv SOURCE", "run test vectors; fail if an error grew", Operand::files, takes::vectors},
    {"exact", exact, "FUNCTION", "exact values of a well-known function: inputs from standard input", Operand::files,
     takes::none},
    {"harness", harness, "SOURCE -f FUNCTION", "print the code that calls a function of vectors, structs, ...",
     Operand::files, takes::harness},
    {"export", export_fpcore, "SOURCE -f FUNCTION -o FILE.fpcore", "write a function as FPCore, for other tools",
     Operand::files, takes::export_fpcore},
    {"solve", solve, "FILE.smt2 [--solver NAME]", "solve floating-point constraints from a file", Operand::files,
     takes::solve},
    {"cc", cc, "ARGUMENTS...", "compile C with the real compiler, and keep the bitcode", Operand::files, takes::none},
    {"c++", cc, "ARGUMENTS...", "the same for C++", Operand::files, takes::none},
    {"fc", cc, "ARGUMENTS...", "the same for Fortran", Operand::files, takes::none},
    {"record", record, "[-o FILE] -- PROGRAM ARGUMENTS...", "run a program, and record the arguments of its functions",
     Operand::files, takes::record},
    {"run", run_program, "[-o FILE] -- PROGRAM ARGUMENTS...", "run a whole program, and show where it loses digits",
     Operand::files, takes::run},
    {"campaign", campaign, "init|run|status|... DIR", "search a whole library for hours; resumable",
     Operand::campaign_commands, takes::campaign},
    {"worker", worker, "--share PATH", "be a task of a campaign", Operand::files, takes::worker},
    {"completion", completion, "bash|zsh|fish", "print a completion script", Operand::shells, takes::none},
    {"help", help, "[COMMAND]", "show this text, or the help of a command", Operand::commands, takes::none},
};

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const Command& command : commands)
    names.emplace_back(command.name);
  return names;
}

} // namespace

std::span<const Command> all_commands() { return commands; }

const Command& command_named(const std::string& name) {
  const auto* found = std::ranges::find_if(commands, [&](const Command& command) { return command.name == name; });
  if (found != std::end(commands))
    return *found;
  const std::vector<std::string> close = base::nearest(name, names());
  throw base::UserError(base::status_usage, fmt::format("unknown command '{}'", name),
                        close.empty() ? fmt::format("one of {}", fmt::join(names(), ", "))
                                      : fmt::format("{}", fmt::join(close, ", ")));
}

std::string general_help() {
  std::string text = "faultline finds the inputs on which numerical code breaks, and names the line at fault.\n\n"
                     "Usage: faultline COMMAND ... [-- COMPILER-FLAGS]\n\nCommands:\n";
  for (const Command& command : all_commands())
    text += fmt::format("  {:10} {:33} {}\n", command.name, command.synopsis, command.summary);
  return text + R"(
Options:
  -h,--help      show this text; see also faultline help COMMAND
  --version      the version

Examples:
  faultline list foo.c                        the functions that can be tested
  faultline hunt foo.c                        all suitable functions, 10 s each at most
  faultline hunt foo.c -f foo -o foo.json     one function, and a report for scripts
  faultline explain foo.c -f foo --at x=1e-7  operation by operation
  faultline replay foo.json                   run the findings again

Exit status: 0 no errors or warnings, 1 errors or warnings, 2 wrong usage, 3 the code does not compile or has no suitable function,
4 inconclusive, 70 internal error.
)";
}

std::vector<std::string> words_of(Operand operand) {
  switch (operand) {
  case Operand::files:
    break;
  case Operand::suites: // the modules of bench/suites
    return {"gsl", "gsl-exceptions", "fpgen", "fpse", "bounds", "smt"};
  case Operand::commands:
    return names();
  case Operand::campaign_commands:
    return {"init", "run", "status", "stop", "report", "compare", "merge"};
  case Operand::shells:
    return {"bash", "zsh", "fish"};
  }
  return {};
}

CommandLine line_of(std::vector<std::string> typed) {
  CommandLine line;
  const auto mark = std::ranges::find(typed, "--");
  if (mark != typed.begin())
    line.words.assign(typed.begin() + 1, mark);
  if (mark != typed.end())
    line.flags.assign(mark + 1, typed.end());
  line.typed = std::move(typed);
  return line;
}

std::vector<std::string> recorded(const std::vector<std::string>& typed) {
  std::vector<std::string> kept;
  const auto end = std::ranges::find(typed, "--");
  for (auto word = typed.begin(); word != end; ++word) {
    const auto setting = std::ranges::find_if(model::all_settings(), [&](const model::Setting& one) {
      return one.recorded == model::Recorded::never && is_option(one, *word);
    });
    if (setting == model::all_settings().end())
      kept.push_back(*word);
    else if (word->find('=') == std::string::npos && (word->starts_with("--") || word->size() == 2))
      word += word + 1 != end; // its value
  }
  kept.insert(kept.end(), end, typed.end());
  return kept;
}

void refuse_flags(const CommandLine& line) {
  if (!line.flags.empty())
    throw base::UserError(base::status_usage, fmt::format("{} takes no compiler flags", line.typed.front()),
                          "leave out -- and what follows it");
}

namespace {

std::string& program() {
  static std::string name = "faultline";
  return name;
}

} // namespace

const std::string& program_name() { return program(); }
void set_program_name(const std::string& name) { program() = name; }

int help(const CommandLine& line) {
  if (line.words.empty() || line.words.front().starts_with("-") || line.words.front() == "help")
    throw Help{general_help()};
  const Command& command = command_named(line.words.front());
  std::vector<std::string> asked = line.words; // of a suite: bench gsl
  asked.emplace_back("--help");
  return command.run(line_of(std::move(asked)));
}

} // namespace faultline::cli
