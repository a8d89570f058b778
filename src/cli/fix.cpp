#include "base/clock.h"
#include "base/error.h"
#include "base/files.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "cli/progress.h"
#include "cli/saved.h"
#include "cli/writer.h"
#include "hunt/fixing.h"
#include "model/settings/settings.h"
#include "report/fix_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::cli {

using base::status_usage;
using base::UserError;

namespace {

constexpr const char* fix_examples = R"(Examples:
  faultline fix foo.c > foo.patch                  a diff for each problem of tier error; git apply takes it
  faultline fix foo.c -f foo --at x=1e-7           the problem at this input
  faultline fix foo.c -f foo --write               change the file
  faultline fix foo.c -o foo.patch -o foo.md       the diff, and a summary for a pull request
  faultline fix foo.c -o foo_test.cpp              tests that fail before and pass after
  faultline fix foo.c --check mine.patch           judge a patch of yours by the same trial

A repair is shown only if it has passed its trial: it compiles, it is better where the code is wrong, and at 100,000
inputs its error is at most twice that of the code, or 4 ulps above it. The reference is the code itself in exact
arithmetic, or --means. The diff goes to standard output, and what was measured to standard error.

Exit status: 0 there is a diff, 1 no repair passes, 4 no problem was reproduced.)";

std::string patch_text(const model::FixReport& report) { return report.diff(); }

struct FixFormat {
  const char* ending;
  std::string (*render)(const model::FixReport&); // null: tests, which another writer makes
};

constexpr FixFormat fix_formats[] = {{".patch", patch_text},        {".diff", patch_text},  {".json", report::fix_json},
                                     {".md", report::fix_markdown}, {"_test.cpp", nullptr}, {"_test.c", nullptr}};

struct FixOutput {
  explicit FixOutput(const std::string& name)
      : render(
            format_for(name, fix_formats, ".patch, .diff, .json, .md, _test.cpp, or -o - for JSON on standard output")
                .render),
        name(name), file(name) {}

  std::string (*render)(const model::FixReport&); // first, so that a refused ending touches no file
  std::string name;
  OutputFile file;
};

hunt::Prefer prefer_from(const std::string& word) {
  if (word.empty())
    return hunt::Prefer::any;
  if (word == "accuracy")
    return hunt::Prefer::accuracy;
  if (word == "speed")
    return hunt::Prefer::speed;
  if (word == "size")
    return hunt::Prefer::size;
  throw UserError(status_usage, fmt::format("--prefer {}: there is no such preference", word),
                  "--prefer accuracy, speed or size");
}

hunt::FixRequest request_from(const model::RawSettings& raw) {
  hunt::FixRequest request;
  if (raw.has("at"))
    request.at = model::input_from(raw.values("at"));
  if (raw.has("fix-time"))
    request.seconds = model::duration("--time", raw.value("fix-time"));
  if (raw.has("cost"))
    request.most_cost = model::positive("--cost", raw.value("cost"));
  request.prefer = prefer_from(raw.value("prefer"));
  return request;
}

void write_files(const model::FixReport& report) {
  for (const model::FixedFile& file : report.files)
    if (file.before != file.after)
      OutputFile(file.path).write(file.after);
}

int status_of(const model::FixReport& report) {
  if (!report.reproduced)
    return base::status_inconclusive;
  return report.is_any_repaired() ? base::status_nothing : base::status_found;
}

} // namespace

int fix(const CommandLine& line) {
  const model::RawSettings raw =
      parse_sources("fix", "Repairs the problems of these files, as a diff that git apply takes.", fix_examples, line);
  hunt::Options options = options_from(raw, line);
  options.worker.confinement = confinement_from(raw);
  const hunt::FixRequest request = request_from(raw);
  if (!request.at.empty() && options.functions.size() != 1)
    throw UserError(status_usage, "--at is an input of one function", "-f FUNCTION");
  const std::vector<std::string>& names = raw.values("report");
  const std::vector<FixOutput> outputs(names.begin(), names.end());
  const bool quiet = raw.is_on("quiet");
  const bool has_standard_output =
      std::ranges::any_of(outputs, [](const FixOutput& one) { return one.file.is_standard_output(); });
  const bool has_patch = std::ranges::any_of(outputs, [](const FixOutput& one) { return one.render == patch_text; });

  if (!quiet)
    tell_configuration(options);
  ProgressDisplay progress(progress_mode(quiet, STDERR_FILENO), stderr);
  const Interrupt interrupt;
  const base::Stopwatch watch;
  hunt::FixListener listener;
  listener.hunting.on_progress = [&](const model::Progress& now) { progress.update(now); };
  listener.on_phase = [&](const std::string& phase) { progress.update("fix: " + phase, watch.seconds()); };
  const std::string checked = raw.value("check-patch");
  model::FixReport report = checked.empty()
                                ? hunt::fix(options, request, listener, interrupt.flag())
                                : hunt::check_patch(options, request, text_of(checked), listener, interrupt.flag());
  progress.clear();
  if (!quiet)
    fmt::print(stderr, "{}", report::fix_text(report, report::style_of(STDERR_FILENO)));
  if (!report.reproduced && !quiet)
    fmt::print(stderr, "faultline: there is no problem to repair\n");
  if (!has_patch && !has_standard_output && checked.empty())
    print(report.diff());
  for (const FixOutput& output : outputs)
    if (output.render)
      output.file.write(output.render(report));
    else
      Writer(output.name).write(model::RankedReport(report.hunted), {[&] { return options; }, {}});
  if (raw.is_on("write"))
    write_files(report);
  if (report.interrupted)
    fmt::print(stderr, "faultline: interrupted; this is the best until then\n");
  return status_of(report);
}

} // namespace faultline::cli
