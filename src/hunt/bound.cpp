#include "hunt/bound.h"

#include "finding/settings/table.h"
#include "finding/version.h"
#include "frontend/error.h"
#include "hunt/blank_report.h"
#include "hunt/targets/extents.h"
#include "hunt/targets/targets.h"
#include "hunt/workers.h"
#include "judge/bounds/bounding.h"
#include "judge/space_of_target.h"

namespace faultline::campaign {
namespace {

// What the worker tells of a proof, with what only this side knows.
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
  report.note = measure(program, report.target, settings, options).note;
  judge::check_names({report.target}, options.settings);
  report.seed = settings.seed;
  const judge::Counting counting = judge::counting_of(settings);
  report.threshold = counting.threshold;
  report.measure = counting.measure;
  report.inputs = searched_ranges(report.target, settings);

  bool told = false;
  std::optional<frontend::UserError> error;
  const Assignment assignment{.job = job_for(report.target, settings, options, how),
                              .target = &report.target,
                              .on_message = [&](const finding::Message& message) {
                                if (const auto* failure = std::get_if<finding::Failure>(&message)) {
                                  error.emplace(failure->status, failure->what, failure->hint);
                                } else if (const auto* progress = std::get_if<finding::SearchProgress>(&message)) {
                                  on_progress(*progress);
                                } else if (const auto* bounds = std::get_if<finding::BoundsMessage>(&message)) {
                                  report.bounds = bounds->bounds;
                                  told = true;
                                } else if (const auto* proof = std::get_if<finding::CertificateMessage>(&message)) {
                                  bounded.certificate = named(proof->certificate, report, settings);
                                } else if (std::holds_alternative<finding::WorkerDeath>(message)) {
                                  report.note = "a call killed the worker process, and was left out";
                                }
                              }};
  run({assignment}, program, 1, options.worker, stop, [] {});
  if (error)
    throw *error;
  if (!told && !stop)
    throw frontend::UserError(frontend::status_inconclusive, "the worker ended without a bound",
                              "a shorter --range, or --time with more");
  report.interrupted = stop;
  return bounded;
}

} // namespace faultline::campaign
