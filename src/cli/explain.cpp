#include "base/error.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "cli/writer.h"
#include "hunt/single_target.h"
#include "model/settings/settings.h"
#include "report/explain_text.h"
#include "report/kind_pages.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::cli {
namespace {

constexpr const char* explain_examples = R"(Examples:
  faultline explain foo.c -f foo --at x=1e-7
  faultline explain foo.c -f foo --at x=1e-7,y=0x1p-20 --most 1000
  faultline explain sum.c -f sum --size A=4 --at A=1,1e16,1,-1e16
  faultline explain foo.c -f foo --at x=0 -o -     JSON on standard output
  faultline explain --kind cancellation            what that is, and how it is repaired

Columns: the condition of an operation is the factor by which it amplifies the relative error of each operand; the share
is the part of the output's error that the operation's own rounding is to blame for.

The exit status is 0 whatever is wrong at this input: explain answers a question. faultline hunt and replay judge.)";

// The outputs of the explanation: text on standard output, unless JSON goes there, and files.
class Destinations {
public:
  explicit Destinations(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (!is_json(name) && !name.ends_with(".txt"))
        throw base::UserError(base::status_usage, fmt::format("-o {}: explain writes JSON or text", name),
                              "-o FILE.json, -o FILE.txt, or -o - for JSON on standard output");
      names_.push_back(name);
      files_.emplace_back(name);
    }
  }

  bool has_standard_output() const { return std::ranges::any_of(files_, &OutputFile::is_standard_output); }

  void write(const model::Explanation& explanation, const model::Report& report) const {
    const report::SourceLine source = report::source_files(report.folders);
    if (!has_standard_output())
      print(report::explain_text(explanation, source, report::style_of(STDOUT_FILENO)));
    for (size_t i = 0; i < files_.size(); ++i)
      files_[i].write(is_json(names_[i]) ? report::explain_json(explanation, report)
                                         : report::explain_text(explanation, source, report::Style(false)));
  }

private:
  static bool is_json(const std::string& name) { return name == "-" || name.ends_with(".json"); }

  std::vector<std::string> names_;
  std::vector<OutputFile> files_;
};

} // namespace

int explain(const CommandLine& line) {
  const model::RawSettings raw =
      parse_sources("explain", "Runs one input and shows every operation: operands, condition, result, error, share.",
                    explain_examples, line);
  if (raw.has("kind")) {
    print(report::kind_page(raw.value("kind")));
    return base::status_nothing;
  }
  hunt::Options options = options_from(raw, line);
  options.worker.confinement = confinement_from(raw);
  if (options.functions.size() != 1)
    throw base::UserError(base::status_usage, "explain is for one function",
                          "-f FUNCTION; faultline list SOURCE shows the functions");
  const uint64_t most_rows = model::positive_whole(
      "--most", raw.has("most") ? raw.value("most") : std::string(model::find_setting("most")->usual));
  const Destinations destinations(raw.values("report")); // before the run: they may be refused
  if (!destinations.has_standard_output())
    tell_configuration(options);
  const model::Explanation explanation = hunt::explain(options, model::input_from(raw.values("at")), most_rows);
  const model::Report report = hunt::report_of(explanation, options);
  destinations.write(explanation, report);
  return base::status_nothing;
}

} // namespace faultline::cli
