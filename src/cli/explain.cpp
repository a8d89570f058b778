#include "campaign/explain.h"
#include "cli/command.h"
#include "cli/configured.h"
#include "cli/options.h"
#include "cli/values.h"
#include "frontend/error.h"
#include "report/explain_json.h"
#include "report/explain_text.h"
#include "report/kind_pages.h"
#include "report/output_file.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::cli {
namespace {

constexpr const char* examples = R"(Examples:
  faultline explain foo.c -f foo --at x=1e-7
  faultline explain foo.c -f foo --at x=1e-7,y=0x1p-20 --most 1000
  faultline explain sum.c -f sum --size A=4 --at A=1,1e16,1,-1e16
  faultline explain foo.c -f foo --at x=0 -o -     JSON on standard output
  faultline explain --kind cancellation            what that is, and how it is repaired

Columns: the condition of an operation is the factor by which it amplifies the relative error of each operand; the share
is the part of the output's error that the operation's own rounding is to blame for.

The exit status is 0 whatever is wrong at this input: explain answers a question. faultline hunt and replay judge.)";

// Where the explanation goes: text on standard output, unless JSON goes there.
class Destinations {
public:
  explicit Destinations(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (!is_json(name) && !name.ends_with(".txt"))
        throw frontend::UserError(frontend::status_usage, fmt::format("-o {}: explain writes JSON or text", name),
                                  "-o FILE.json, -o FILE.txt, or -o - for JSON on standard output");
      names_.push_back(name);
      files_.emplace_back(name);
    }
  }

  bool has_standard_output() const { return std::ranges::any_of(files_, &report::OutputFile::is_standard_output); }

  void write(const campaign::Explanation& explanation, const campaign::Report& report) const {
    const report::SourceLine source = report::source_files();
    if (!has_standard_output())
      report::print(report::explain_text(explanation, source, report::style_of(STDOUT_FILENO)));
    for (size_t i = 0; i < files_.size(); ++i)
      files_[i].write(is_json(names_[i]) ? report::explain_json(explanation, report)
                                         : report::explain_text(explanation, source, report::Style(false)));
  }

private:
  static bool is_json(const std::string& name) { return name == "-" || name.ends_with(".json"); }

  std::vector<std::string> names_;
  std::vector<report::OutputFile> files_;
};

} // namespace

int explain(const Line& line) {
  CLI::App app("Runs one input and shows every operation: operands, condition, result, error, share.",
               "faultline explain");
  app.footer(examples);
  Arguments arguments;
  std::vector<std::string> points, files;
  std::string most = "200", kind;
  add_source_options(app, arguments);
  app.add_option("--at", points, "the input; repeatable, or a comma list; A=1,2,3 for an array")
      ->allow_extra_args(false)
      ->option_text("x=VALUE")
      ->group("Inputs");
  add_hold_option(app, arguments);
  add_judging_options(app, arguments);
  app.add_option("--status", arguments.status,
                 "this output says whether the call succeeded, and 0 that it did (return=0, info=0)")
      ->option_text("NAME=0")
      ->group("Exceptions");
  app.add_option("--most", most, "operations shown (default: 200)")->option_text("N")->group("Output");
  CLI::Option* page = app.add_option("--kind", kind, "tell about a kind of finding; needs no source")
                          ->option_text("NAME")
                          ->group("Output");
  app.add_option("-o", files, "the explanation: .json, .txt, or - for JSON on standard output; repeatable")
      ->allow_extra_args(false)
      ->option_text("FILE")
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
  const uint64_t most_rows = positive_whole("--most", most);
  const Destinations destinations(files); // now: they may be refused
  if (!destinations.has_standard_output())
    tell_configuration(options);
  const campaign::Explanation explanation = campaign::explain(options, at(points), most_rows);
  const campaign::Report report = campaign::report_of(explanation, options);
  destinations.write(explanation, report);
  return 0;
}

} // namespace faultline::cli
