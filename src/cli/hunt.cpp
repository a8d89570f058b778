#include "cli/hunt.h"

#include "campaign/hunt.h"
#include "campaign/noise.h"
#include "cli/configured.h"
#include "cli/drawing.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/saved.h"
#include "report/json.h"
#include "report/noise_text.h"
#include "report/output_file.h"
#include "report/progress.h"
#include "report/text.h"
#include "report/writer.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <unistd.h>

namespace faultline::cli {
namespace {

constexpr int status_inconclusive = 4;

constexpr const char* examples = R"(Examples:
  faultline hunt foo.c                             all suitable functions of a file
  faultline hunt foo.c -f foo --range x=-1:1       one function, on an interval
  faultline hunt src/ -o findings.json -j 4        a folder; a report for scripts
  faultline hunt sum.f90 --size a=32 -o - | jq .   an array of 32; JSON on standard output
  faultline hunt foo.cpp --reference exact.c:foo   judged by a function of yours
  faultline hunt foo.c --baseline known.json       only what is not in an earlier report
  faultline hunt foo.c --corpus corpus --seed 2    what was found before is tried first, and what is new kept
  faultline hunt foo.c -- -DN=8 -Iinclude          flags for the compiler)";

// Findings as text on standard output, each of them once, the moment it is known.
class Announcer {
public:
  Announcer(bool silent, const std::vector<std::string>& command, report::ProgressDisplay& progress)
      : silent_(silent), command_(command), progress_(progress), style_(report::style_of(STDOUT_FILENO)),
        source_(report::source_files()) {}

  void finding(const campaign::TargetReport& target, const campaign::Finding& finding) {
    if (finding.set_aside() && !campaign::shows_all(command_, target))
      return;
    if (silent_ || !announced_.emplace(target.function, finding.id).second)
      return;
    progress_.clear();
    report::print(report::finding_text(target, finding, source_, style_));
  }

  // On standard error: the result is still to come.
  void sighting(const campaign::TargetReport& target, const campaign::Finding& finding) {
    if (progress_.is_silent())
      return;
    progress_.clear();
    fmt::print(stderr, "{}\n", report::sighting_text(target, finding));
  }

  // What was not announced on the way (found by a worker that died, say), then the table.
  void end(const campaign::Report& report) {
    for (const campaign::TargetReport& target : report.targets)
      for (const campaign::Finding& finding : target.findings)
        this->finding(target, finding);
    if (!silent_)
      report::print(report::noise_text(report) + report::summary_text(campaign::shown(report), style_));
  }

private:
  bool silent_;
  const std::vector<std::string>& command_;
  report::ProgressDisplay& progress_;
  report::Style style_;
  report::SourceLine source_;
  std::set<std::pair<std::string, std::string>> announced_; // function, id
};

} // namespace

HuntRequest parse_hunt(const Line& line, const campaign::Report* made) {
  CLI::App app("Finds inputs that break the functions in these files.", "faultline hunt");
  app.footer(examples);
  Arguments arguments;
  HuntRequest request;
  add_source_options(app, arguments);
  add_search_options(app, arguments);
  add_check_options(app, arguments);
  add_judging_options(app, arguments);
  add_exception_options(app, arguments);
  app.add_option("--baseline", arguments.baseline, "only findings that are not in this report of an earlier hunt count")
      ->option_text("FILE.json")
      ->group("What counts");
  app.add_option("--corpus", arguments.corpus, "keep findings there, one a file, and try them first the next time")
      ->option_text("DIR")
      ->group("Search");
  add_report_option(app, request.reports);
  add_plots_option(app, request.no_plots);
  app.add_flag("--quiet", request.quiet, "no progress on standard error")->group("Output");
  parse(app, line);
  request.options = made ? as_recorded(arguments, line, *made) : options_from(arguments, line);
  return request;
}

int hunt(const Line& line) {
  HuntRequest request = parse_hunt(line);
  if (const std::string& file = request.options.baseline_file; !file.empty())
    request.options.baseline = std::make_shared<const campaign::Baseline>(load_baseline(file));
  const std::string& corpus = request.options.corpus_folder;
  if (!corpus.empty())
    request.options.corpus = std::make_shared<const campaign::Corpus>(load_corpus(corpus));
  const std::vector<report::Writer> writers = report::writers(request.reports); // now: they may be refused
  const bool json_only = std::ranges::any_of(writers, &report::Writer::to_standard_output);

  if (!json_only && !request.quiet)
    tell_configuration(request.options);
  report::ProgressDisplay progress(report::progress_mode(request.quiet, STDERR_FILENO), stderr);
  Announcer announcer(json_only, request.options.command, progress);
  campaign::Listener listener;
  listener.on_progress = [&](const campaign::Progress& now) { progress.update(now); };
  listener.on_finding = [&](const campaign::TargetReport& target, const campaign::Finding& finding) {
    announcer.finding(target, finding);
  };
  listener.on_sighting = [&](const campaign::TargetReport& target, const campaign::Finding& finding) {
    announcer.sighting(target, finding);
  };
  listener.on_target = [](const campaign::TargetReport&) {};
  if (!corpus.empty())
    listener.on_keep = [&](const campaign::Report& kept, const std::string& file) {
      report::OutputFile((std::filesystem::path(corpus) / file).string()).write(report::json_text(kept));
    };

  const Interrupt interrupt;
  campaign::Report report = campaign::hunt(request.options, listener, interrupt.flag());
  progress.clear();
  announcer.end(report);
  for (const std::string& remark : report.remarks)
    fmt::print(stderr, "faultline: {}\n", remark);
  if (!request.no_plots)
    draw(
        report, writers, [&] { return request.options; }, interrupt.flag());
  for (const report::Writer& writer : writers)
    writer.write(report, [&] { return request.options; });

  const int status = campaign::exit_status(report);
  if (!interrupt.flag())
    return status;
  fmt::print(stderr, "faultline: interrupted; this is what was found until then\n");
  return status == 0 ? status_inconclusive : status;
}

} // namespace faultline::cli
