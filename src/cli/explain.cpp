#include "campaign/hunt.h"
#include "cli/command.h"
#include "cli/configured.h"
#include "cli/options.h"
#include "cli/values.h"
#include "frontend/error.h"
#include "report/explain_text.h"
#include "report/kind_pages.h"
#include "report/writer.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace faultline::cli {
namespace {

constexpr int status_inconclusive = 4;

constexpr const char* examples = R"(Examples:
  faultline explain foo.c -f foo --at x=1e-7
  faultline explain foo.c -f foo --at x=1e-7,y=0x1p-20 --most 1000
  faultline explain sum.c -f sum --size A=4 --at A=1,1e16,1,-1e16
  faultline explain --kind cancellation            what that is, and how it is repaired

Columns: the condition of an operation is the factor by which it amplifies the relative error of each operand; the share
is the part of the output's error that the operation's own rounding is to blame for.)";

} // namespace

int explain(const Line& line) {
  CLI::App app("Runs one input and shows every operation: operands, condition, result, error, share.",
               "faultline explain");
  app.footer(examples);
  Arguments arguments;
  std::vector<std::string> points;
  std::string most = "200", kind;
  add_source_options(app, arguments);
  app.add_option("--at", points, "the input; repeatable, or a comma list; A=1,2,3 for an array")
      ->allow_extra_args(false)
      ->option_text("x=VALUE")
      ->group("Inputs");
  add_hold_option(app, arguments);
  add_judging_options(app, arguments);
  app.add_option("--most", most, "operations shown (default: 200)")->option_text("N")->group("Output");
  CLI::Option* page = app.add_option("--kind", kind, "tell about a kind of finding; needs no source")
                          ->option_text("NAME")
                          ->group("Output");
  parse(app, line);
  if (page->count() > 0) {
    report::print(report::kind_page(kind));
    return 0;
  }

  const campaign::Options options = options_from(arguments, line);
  if (options.functions.size() != 1)
    throw frontend::UserError(frontend::status_usage, "explain is for one function",
                              "-f FUNCTION; faultline list SOURCE shows the functions");
  tell_configuration(options);
  const campaign::Explanation explanation = campaign::explain(options, at(points), positive_whole("--most", most));
  report::print(report::explain_text(explanation, report::style_of(STDOUT_FILENO)));
  return explanation.interrupted ? status_inconclusive : 0;
}

} // namespace faultline::cli
