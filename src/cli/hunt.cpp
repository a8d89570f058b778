#include "cli/options.h"

#include "base/error.h"
#include "cli/command_line.h"
#include "cli/parser.h"
#include "cli/progress.h"
#include "cli/saved.h"
#include "cli/writer.h"
#include "hunt/hunt.h"
#include "model/problem.h"
#include "report/junit.h"
#include "report/text.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::cli {
namespace {

constexpr const char* hunt_examples = R"(Examples:
  faultline hunt foo.c                             all suitable functions of a file
  faultline hunt foo.c -f foo --range x=-1:1       one function, on an interval
  faultline hunt libm.bc -f 'bessel_*'             the functions like this
  faultline hunt src/ -o findings.json -j 4        a folder; a report for scripts
  faultline hunt sum.f90 --size a=32 -o - | jq .   an array of 32; JSON on standard output
  faultline hunt foo.cpp --reference exact.c:foo   judged by a function of yours
  faultline hunt foo.c --means 'expm1(x)/x'         judged by the mathematics; --means auto for well-known functions
  faultline hunt foo.c --baseline known.json       only what is not in an earlier report
  faultline hunt foo.c --corpus corpus --seed 2    what was found before is tried first, and what is new kept
  faultline hunt ./app --seen seen.json            where real runs were, as faultline record has noted
  faultline hunt foo.c -- -DN=8 -Iinclude          flags for the compiler)";

} // namespace

HuntRequest parse_hunt(const CommandLine& line, const Saved* saved) {
  const model::RawSettings raw =
      parse_sources("hunt", "Finds inputs that break the functions in these files.", hunt_examples, line);
  HuntRequest request;
  request.options = saved ? as_recorded(raw, line, *saved) : options_from(raw, line);
  if (!saved) // permissions do not come from a file
    request.options.worker.confinement = confinement_from(raw);
  request.baseline = baseline_file(raw, request.options);
  request.corpus = corpus_folder(raw, request.options);
  request.seen = seen_file(raw, request.options);
  request.options.near = raw.has("near");
  request.reports = raw.values("report");
  request.vectors = vectors_from(raw);
  request.options.headers = raw.values("include");
  request.no_plots = raw.is_on("no-plots");
  request.quiet = raw.is_on("quiet");
  request.screen = screen_from(raw);
  request.screen.has_page = writes_page(line.typed);
  request.screen.fail_on = fail_on(raw, request.options);
  return request;
}

namespace {

// Keeps findings in the corpus at once. Prints a failure at once and continues: the report has all findings.
class Keeper {
public:
  explicit Keeper(std::string folder) : folder_(std::move(folder)) {}

  void keep(const model::Report& kept, const std::string& file) {
    try {
      OutputFile((std::filesystem::path(folder_) / file).string()).write(report::json_text(kept));
    } catch (const base::UserError& problem) {
      if (!failed_)
        fmt::print(stderr, "faultline: error: --corpus {}: findings cannot be kept: {}\n", folder_, problem.what());
      failed_ = true;
    }
  }
  void drop(const std::string& file) {
    std::error_code ignored;
    std::filesystem::remove(std::filesystem::path(folder_) / file, ignored);
  }
  bool failed() const { return failed_; }

private:
  std::string folder_;
  bool failed_ = false;
};

hunt::Listener listener_for(ProgressDisplay& progress, const std::string& corpus, Keeper& keeper) {
  hunt::Listener listener;
  listener.on_progress = [&](const model::Progress& now) { progress.update(now); };
  // Prints the first sighting of a finding on standard error, before the result.
  listener.on_sighting = [&](const model::TargetReport& target, const model::Finding& finding) {
    if (progress.is_silent())
      return;
    progress.clear();
    fmt::print(stderr, "{}\n", report::sighting_text(target, finding));
  };
  if (!corpus.empty()) {
    listener.on_keep = [&](const model::Report& kept, const std::string& file) { keeper.keep(kept, file); };
    listener.on_drop = [&](const std::string& file) { keeper.drop(file); };
  }
  return listener;
}

} // namespace

int hunt(const CommandLine& line) {
  HuntRequest request = parse_hunt(line);
  if (!request.baseline.empty())
    request.options.baseline = std::make_shared<const model::Baseline>(load_baseline(request.baseline));
  if (!request.corpus.empty())
    request.options.corpus = std::make_shared<const model::Corpus>(load_corpus(request.corpus));
  if (!request.seen.empty())
    request.options.seen = std::make_shared<const model::SeenRuns>(load_seen(request.seen));
  const std::vector<Writer> writers = cli::writers(request.reports); // before the run: they may be refused
  const bool json_only = std::ranges::any_of(writers, &Writer::to_standard_output);

  if (!json_only && !request.quiet)
    tell_configuration(request.options);
  ProgressDisplay progress(progress_mode(request.quiet, STDERR_FILENO), stderr);
  const Interrupt interrupt;
  Keeper keeper(request.corpus);
  model::Report report = hunt::hunt(request.options, listener_for(progress, request.corpus, keeper), interrupt.flag());
  progress.clear();
  report.fail_on = request.screen.fail_on;
  const model::RankedReport ranked(report);
  if (!json_only)
    print(report::screen_text(ranked, report::source_files(report.folders), request.screen));
  std::ranges::for_each(report.remarks, tell_remark);
  const auto options = [&] { return request.options; };
  if (!request.no_plots)
    draw(report, ranked.problems, writers, options, interrupt.flag(), progress_mode(request.quiet, STDERR_FILENO));
  write_all(writers, ranked, {options, request.vectors, interrupt.flag(), progress_mode(request.quiet, STDERR_FILENO)});

  const int status = keeper.failed() ? base::status_usage : model::exit_status(ranked);
  if (!interrupt.flag())
    return status;
  fmt::print(stderr, "faultline: interrupted; this is what was found until then\n");
  return status == base::status_nothing ? base::status_inconclusive : status;
}

} // namespace faultline::cli
