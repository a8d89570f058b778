#include "campaign/hunt.h"
#include "cli/command.h"
#include "cli/configured.h"
#include "cli/options.h"
#include "frontend/error.h"
#include "report/list_text.h"
#include "report/writer.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <unistd.h>

namespace faultline::cli {
namespace {

constexpr const char* examples = R"(Examples:
  faultline list foo.c
  faultline list src/ -- -Iinclude
  faultline list sum.c --size A=32                 functions with arrays need a size)";

} // namespace

int list(const Line& line) {
  CLI::App app("Lists the functions that can be hunted in: inputs, outputs, sites.", "faultline list");
  app.footer(examples);
  Arguments arguments;
  add_source_options(app, arguments);
  parse(app, line);
  const campaign::Options options = options_from(arguments, line);
  tell_configuration(options);
  const std::vector<campaign::ListedTarget> targets = campaign::list(options);
  report::print(report::list_text(targets, report::style_of(STDOUT_FILENO)));
  const bool any = std::ranges::any_of(targets, [](const auto& listed) { return listed.target.suitable(); });
  return any ? 0 : frontend::status_unsuitable;
}

} // namespace faultline::cli
