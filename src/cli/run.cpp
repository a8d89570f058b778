#include "cli/run.h"

#include "cli/command_table.h"
#include "cli/parser.h"
#include "finding/version.h"
#include "frontend/error.h"
#include "report/excerpt.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <new>
#include <sstream>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

int dispatch(const std::vector<std::string>& typed) {
  if (typed.empty())
    throw UserError(status_usage, "no command given", "faultline hunt SOURCE, or faultline --help");
  const std::string& name = typed.front();
  if (name == "--help" || name == "-h")
    throw Help{general_help()};
  if (name == "--version")
    throw Help{fmt::format("faultline {}\n", finding::version)};
  return command_named(name).run(line_of(typed));
}

void complain(const UserError& error) {
  const char* before = "faultline: error: ";
  std::istringstream lines(error.what());
  for (std::string line; std::getline(lines, line); before = "")
    fmt::print(stderr, "{}{}\n", before, report::printable(line)); // a file's words are no commands to a terminal
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
    return std::fflush(stdout) == 0 ? frontend::status_nothing : status_usage;
  } catch (const UserError& error) {
    complain(error);
    return error.status;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "faultline: error: out of memory\n");
    return frontend::status_inconclusive;
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
