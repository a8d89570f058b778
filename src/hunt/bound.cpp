#include "hunt/bound.h"

#include "base/clock.h"
#include "certificate/check.h"
#include "finding/report.h"
#include "finding/settings/table.h"
#include "frontend/error.h"
#include "hunt/hunt.h"
#include "hunt/targets.h"
#include "hunt/workers.h"
#include "judge/bounds/bounding.h"
#include "judge/space_of_target.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace faultline::campaign {

namespace {

std::string difference_of_inputs(const finding::Certificate& certificate, const frontend::Target& target) {
  if (certificate.inputs.size() != target.inputs.size())
    return fmt::format("{} has {} inputs, and the certificate {}", target.function, target.inputs.size(),
                       certificate.inputs.size());
  for (size_t i = 0; i < target.inputs.size(); ++i)
    if (target.inputs[i].name != certificate.inputs[i].name)
      return fmt::format("{} has an input {}, and the certificate {}", target.function, target.inputs[i].name,
                         certificate.inputs[i].name);
  return "";
}

std::string difference_of_outputs(const finding::Certificate& certificate, const frontend::Target& target,
                                  const std::vector<size_t>& judged) {
  bool same = judged.size() == certificate.outputs.size();
  for (size_t i = 0; same && i < judged.size(); ++i) {
    const frontend::Cell& cell = target.outputs[judged[i]];
    same = cell.name == certificate.outputs[i].name && cell.type.format == certificate.outputs[i].format;
  }
  return same ? "" : fmt::format("the outputs of {} are not those of the certificate", target.function);
}

// Compares constants bit by bit: a NaN equals itself, and 0 differs from -0.
bool is_same_code(const finding::CertifiedPath& a, const finding::CertifiedPath& b) {
  const auto is_same = [](double x, double y) { return std::bit_cast<uint64_t>(x) == std::bit_cast<uint64_t>(y); };
  return a.steps == b.steps && a.outputs == b.outputs &&
         std::ranges::equal(a.constants, b.constants, [&](const auto& x, const auto& y) {
           return is_same(x.low, y.low) && is_same(x.high, y.high);
         });
}

} // namespace

std::string difference_from(const finding::Certificate& certificate, Options options) {
  options.functions = {certificate.function};
  options.settings = read_settings(finding::calling_settings(finding::said_in(certificate.settings)));
  options.without_configuration = true;
  frontend::Program program = load_program(options);
  const frontend::Target target = single_target(program, options);
  if (std::string difference = difference_of_inputs(certificate, target); !difference.empty())
    return difference;
  const std::vector<size_t> judged = judge::judged_outputs(target, options.settings);
  if (std::string difference = difference_of_outputs(certificate, target, judged); !difference.empty())
    return difference;

  std::vector<size_t> paths; // taken by some box
  finding::PathsTask task;
  const std::vector<finding::Input> inputs = certificate::inputs_of_paths(certificate);
  for (size_t path = 0; path < inputs.size(); ++path)
    if (!inputs[path].empty()) {
      paths.push_back(path);
      task.inputs.push_back(inputs[path]);
    }
  std::string difference;
  size_t seen = 0;
  const auto died = run_once(job_for(target, options.settings, options, task), program, target, options.worker,
                             [&](const finding::Message& message) {
                               const auto* told = std::get_if<finding::PathMessage>(&message);
                               if (!told || told->input != seen || seen == paths.size() || !difference.empty())
                                 return;
                               const size_t path = paths[seen++];
                               if (!told->code)
                                 difference = fmt::format("path {} cannot be followed: {}", path, told->obstacle);
                               else if (!is_same_code(*told->code, certificate.paths[path]))
                                 difference =
                                     fmt::format("{} computes something else on path {}", target.function, path);
                             });
  if (difference.empty() && (died || seen < paths.size()))
    difference = fmt::format("{} did not finish on path {}", target.function, paths[seen]);
  return difference;
}

namespace {

// Adds the fields that only the supervisor knows to the certificate of a worker.
finding::Certificate named(finding::Certificate certificate, const finding::BoundReport& report,
                           const finding::Settings& settings) {
  certificate.version = report.version;
  certificate.function = report.target.function;
  certificate.file = report.target.file;
  certificate.line = report.target.line;
  certificate.settings = finding::words_of(finding::calling_settings(finding::said_by(settings)));
  return certificate;
}

} // namespace

Bounded bound(const Options& options, const finding::BoundTask& how,
              const std::function<void(const finding::SearchProgress&)>& on_progress, const std::atomic<bool>& stop) {
  frontend::Program program = load_program(options);
  Bounded bounded;
  finding::BoundReport& report = bounded.report;
  report.version = finding::version;
  report.command = options.command;
  report.target = single_target(program, options, Fit::huntable);
  finding::Settings settings = settings_for(report.target, options);
  const base::Stopwatch watch;
  report.note = measure(program, report.target, settings, options).note;
  const double spent = watch.seconds();
  judge::check_names({report.target}, options.settings);
  report.seed = settings.seed;
  const judge::Counting counting = judge::counting_of(settings);
  report.threshold = counting.threshold;
  report.measure = counting.measure;
  report.inputs = searched_ranges(report.target, settings);

  bool told = false, late = false;
  std::optional<frontend::UserError> error;
  const Assignment assignment{.job = job_for(report.target, settings, options, how),
                              .target = &report.target,
                              .on_message =
                                  [&](const finding::Message& message) {
                                    if (const auto* failure = std::get_if<finding::Failure>(&message)) {
                                      error.emplace(failure->status, failure->what, failure->hint);
                                    } else if (const auto* progress = std::get_if<finding::SearchProgress>(&message)) {
                                      on_progress(*progress);
                                    } else if (const auto* bounds = std::get_if<finding::BoundsMessage>(&message)) {
                                      report.bounds = bounds->bounds;
                                      told = true;
                                    } else if (const auto* proof = std::get_if<finding::CertificateMessage>(&message)) {
                                      bounded.certificate = named(proof->certificate, report, settings);
                                    } else if (const auto* death = std::get_if<finding::WorkerDeath>(&message)) {
                                      report.note = "a call killed the worker process, and was left out";
                                      late = death->out_of_time;
                                    }
                                  },
                              .seconds = std::max(seconds_in_all(how.seconds) - spent, how.seconds)};
  run({assignment}, program, 1, options.worker, stop, [] {});
  if (error)
    throw *error;
  if (!told && !stop)
    throw frontend::UserError(frontend::status_inconclusive,
                              late ? "time was up, twice --time, before there was a bound"
                                   : "the worker ended without a bound",
                              "a shorter --range, or --time with more");
  report.interrupted = stop;
  return bounded;
}

} // namespace faultline::campaign
