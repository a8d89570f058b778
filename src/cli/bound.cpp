#include "base/clock.h"
#include "base/error.h"
#include "certificate/check.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "cli/progress.h"
#include "cli/writer.h"
#include "hunt/single_target.h"
#include "model/certificate.h"
#include "model/settings/settings.h"
#include "numeric/decimal.h"
#include "report/bound_text.h"
#include "report/html.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>
#include <unistd.h>

namespace faultline::cli {

using base::status_usage;
using base::UserError;

namespace {

constexpr const char* bound_examples = R"(Examples:
  faultline bound foo.c -f foo --range x=0.1:10                     absolute, in ulps, and relative
  faultline bound foo.c -f foo --range x=0:1 --range y=-5:5 -o -    JSON on standard output
  faultline bound foo.c -f foo --range x=-1:1 --threshold 1e-9      and where it is safe, where not
  faultline bound foo.c -f foo --range x=-1:1 --threshold 1e-9 -o foo.html       the same as a page, with the map
  faultline bound foo.c -f foo --range x=0:9 --threshold 1e-9 --around x=1       the largest safe box around x = 1
  faultline bound foo.c -f foo --range x=0:1 --rounded-inputs       inputs are reals that were rounded
  faultline bound foo.c -f foo --range x=0:1 -o foo.proof.json      the proof, for faultline check

What is proved holds for every float of the ranges, with the errors that the C library's manual states for its
functions. What was found is an input whose error is that large, confirmed in high precision.

Exit status: 0 every output has a bound over all of the ranges (below the threshold, if one is given), 1 an error above
the threshold was found, 4 something is not proved.)";

std::string json(const hunt::BoundResult& bounded) { return report::bound_json(bounded.report); }
std::string page(const hunt::BoundResult& bounded) { return report::bound_page(bounded.report); }
std::string plain_text(const hunt::BoundResult& bounded) {
  return report::bound_text(bounded.report, report::Style(false));
}

std::string certificate(const hunt::BoundResult& bounded) {
  if (!bounded.certificate)
    throw UserError(base::status_inconclusive,
                    fmt::format("no certificate is written: it would be larger than {} MiB, or its worker has died",
                                model::largest_certificate >> 20),
                    "less --time, or --output NAME: fewer boxes, or fewer bounds of each");
  return model::certificate_text(*bounded.certificate);
}

struct BoundFormat {
  const char* ending;
  std::string (*render)(const hunt::BoundResult&);
};

constexpr BoundFormat bound_formats[] = {
    {".proof.json", certificate}, {".json", json}, {".html", page}, {".txt", plain_text}};

struct BoundOutput {
  explicit BoundOutput(const std::string& name)
      : render(format_for(name, bound_formats,
                          ".json, .html, .txt, .proof.json (the certificate), or -o - for JSON on standard output")
                   .render),
        file(name) {}

  std::string (*render)(const hunt::BoundResult&); // first, so that a refused ending touches no file
  OutputFile file;
};

// x=1,y=2
void add_point(const std::string& text, std::vector<std::pair<std::string, double>>& point) {
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const size_t sign = part.find('=');
    const std::optional<numeric::Value> value =
        sign == std::string::npos || sign == 0 ? std::nullopt : numeric::parse_long_double(part.substr(sign + 1));
    if (!value || !std::isfinite(double(*value)))
      throw UserError(status_usage, fmt::format("--around {}: is not x=1,y=2", text), "--around x=1,y=2");
    point.emplace_back(part.substr(0, sign), double(*value));
    begin = end + 1;
  }
}

model::BoundTask task_from(const model::RawSettings& raw) {
  model::BoundTask task;
  if (raw.has("time"))
    task.seconds = model::duration("--time", raw.value("time"));
  if (raw.has("ratio")) {
    task.ratio = model::positive("--ratio", raw.value("ratio"));
    if (task.ratio < 1)
      throw UserError(status_usage, "--ratio: the proved error is never below the found one", "--ratio 1.1");
  }
  task.rounded_inputs = raw.is_on("rounded-inputs");
  for (const std::string& text : raw.values("input-error")) {
    const size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0)
      throw UserError(status_usage, fmt::format("--input-error {}: is not x=ERROR", text), "--input-error x=1e-6");
    task.input_errors.emplace_back(text.substr(0, sign), model::positive("--input-error", text.substr(sign + 1)));
  }
  for (const std::string& text : raw.values("around"))
    add_point(text, task.around);
  return task;
}

int status_of(const model::BoundReport& report) {
  if (report.threshold && report.found(report.measure) > *report.threshold)
    return base::status_found;
  const bool proved = report.bounds.complete() && !report.bounds.outputs.empty() &&
                      (!report.threshold || report.proven(report.measure) <= *report.threshold);
  return proved ? base::status_nothing : base::status_inconclusive;
}

} // namespace

int bound(const CommandLine& line) {
  const model::RawSettings raw =
      parse_sources("bound", "Proves how large the error of a function can be over a range, and finds how large it is.",
                    bound_examples, line);
  hunt::Options options = options_from(raw, line);
  options.worker.confinement = confinement_from(raw);
  options.sources.preconditions = program::fpcore::Preconditions::left_out;
  if (options.functions.size() > 1)
    throw UserError(status_usage, "bound is for one function", "-f FUNCTION");
  model::BoundTask task = task_from(raw);
  const std::vector<std::string>& names = raw.values("report");
  const std::vector<BoundOutput> files(names.begin(), names.end());
  task.curve = std::ranges::any_of(files, [](const BoundOutput& o) { return o.render == page; });
  task.certificate = std::ranges::any_of(files, [](const BoundOutput& o) { return o.render == certificate; });
  const bool quiet = raw.is_on("quiet");
  const bool json_only = std::ranges::any_of(files, [](const BoundOutput& o) { return o.file.is_standard_output(); });
  if (!json_only && !quiet)
    tell_configuration(options);
  ProgressDisplay progress(progress_mode(quiet, STDERR_FILENO), stderr);
  const base::Stopwatch watch;
  const Interrupt interrupt;
  const hunt::BoundResult bounded = hunt::bound(
      options, task,
      [&](const model::SearchProgress& seen) {
        model::Progress now;
        now.function = seen.phase;
        now.targets = 1;
        now.evaluations = seen.evaluations;
        now.seconds = watch.seconds();
        progress.update(now);
      },
      interrupt.flag());
  progress.clear();
  const model::BoundReport& report = bounded.report;
  if (!json_only)
    print(report::bound_text(report, report::style_of(STDOUT_FILENO)));
  for (const BoundOutput& output : files)
    output.file.write(output.render(bounded));
  if (report.interrupted)
    fmt::print(stderr, "faultline: interrupted; this is what was proved and found until then\n");
  return status_of(report);
}

namespace {

constexpr const char* check_examples = R"(Examples:
  faultline check foo.proof.json             do the bounds follow, for the code in the certificate?
  faultline check foo.proof.json foo.c       and is that what foo.c computes?
  faultline check foo.proof.json -o -        JSON on standard output

faultline bound -o FILE.proof.json writes certificates. They are checked with other arithmetic and without a search; with
a source, each path is run at one input, and its operations are compared.

Exit status: 0 verified; 1 refused: it is false, does not follow, or is about other code; 4 verified, except for boxes
that the certificate itself leaves open.)";

report::CertificateCheck examined(const model::Certificate& certificate, int threads) {
  const base::Stopwatch watch;
  const certificate::Checked checked = certificate::check(certificate, threads);
  report::CertificateCheck check;
  check.boxes = checked.boxes;
  check.open = checked.open;
  if (checked.refusal) {
    check.refusal = checked.refusal->reason;
    check.box = checked.refusal->box;
    check.ends = checked.refusal->ends;
  }
  check.seconds = watch.seconds();
  return check;
}

int status_of(const report::CertificateCheck& check) {
  if (!check.refusal.empty())
    return base::status_found;
  return check.open > 0 ? base::status_inconclusive : base::status_nothing;
}

} // namespace

int check(const CommandLine& line) {
  model::RawSettings raw =
      parse({.name = "check",
             .description = "Verifies a certificate of faultline bound.",
             .examples = check_examples,
             .operand = "FILE.proof.json",
             .operand_help = "the certificate, and the source that it is about, if that is to be compared",
             .many_operands = true},
            line);
  std::vector<std::string> words = raw.values(operands);
  if (words.empty())
    throw UserError(status_usage, "no certificate given", "faultline check FILE.proof.json");
  const std::string file = words.front();
  words.erase(words.begin());
  if (words.empty())
    refuse_flags(line);
  const std::vector<OutputFile> files = json_files(raw.values("report"));
  const model::Certificate certificate = model::load_certificate(file);
  report::CertificateCheck check =
      examined(certificate, jobs_from(raw, int(std::max(1u, std::thread::hardware_concurrency()))));
  if (check.refusal.empty() && !words.empty()) {
    check.source = fmt::format("{}", fmt::join(words, ", "));
    raw.set(operands, words);
    hunt::Options options = options_from(raw, line);
    options.sources.preconditions = program::fpcore::Preconditions::left_out; // as bound does
    options.worker.confinement = confinement_from(raw);
    check.refusal = hunt::difference_from(certificate, options);
  }
  if (std::ranges::none_of(files, &OutputFile::is_standard_output))
    print(report::check_text(certificate, check, report::style_of(STDOUT_FILENO)));
  for (const OutputFile& output : files)
    output.write(report::check_json(certificate, check));
  return status_of(check);
}

} // namespace faultline::cli
