#include "campaign/target_hunt.h"

#include "campaign/collection.h"
#include "campaign/exceptions.h"
#include "campaign/finding_json.h"
#include "campaign/finishing.h"
#include "campaign/judge.h"
#include "campaign/observations.h"
#include "campaign/origins.h"
#include "campaign/sighting.h"
#include "campaign/space_of_target.h"
#include "search/strategy.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace faultline::campaign {
namespace {

using Json = nlohmann::ordered_json;

// How many of the program's operations have been executed: for the status line, so now and then a look is enough.
class Reached {
public:
  explicit Reached(size_t sites) : seen_(sites) {}

  void watch(const tape::Tape& tape) {
    constexpr uint64_t first_ones = 64, later = 64;
    if (++runs_ > first_ones && runs_ % later != 0)
      return;
    for (uint32_t index = 1; index < tape.size(); ++index)
      if (const uint32_t site = tape.record(index).site; site >= runtime::first_program_site && !seen_[site]) {
        seen_[site] = true;
        ++count_;
      }
  }
  uint64_t count() const { return count_; }

private:
  std::vector<bool> seen_;
  uint64_t runs_ = 0, count_ = 0;
};

class TargetHunt {
public:
  TargetHunt(exec::Session& session, const Options& options, const std::vector<Retry>& retries,
             exec::Reference* reference, exec::Line& line)
      : session_(session), options_(options), retries_(retries), line_(line), locations_(session.sites()),
        reporting_(session.target(), options),
        observations_({options.wanted.branches, options.wanted.exceptions}, session.sites(), locations_, reporting_),
        judge_(session, options, judged_outputs(session.target(), options), reference), reference_(reference),
        exception_judge_(session, options, judge_, locations_, reporting_), origins_(session, judge_.outputs()),
        reached_(session.sites().sites.size()) {}

  void run() {
    retry();
    search::Budget budget;
    constexpr double records_a_second = 40e6; // more than a core does
    budget.seconds = options_.budget_seconds;
    budget.records = std::max(budget.records, uint64_t(records_a_second * std::min(options_.budget_seconds, 1e6)));
    if (options_.evaluations) {
      budget.evaluations = *options_.evaluations;
      budget.records = ~uint64_t(0);
    }
    budget.break_off = break_off();
    search::Evaluator evaluator(session_, budget,
                                [&](const exec::Input& input, const exec::Run& run, const tape::Tape& tape) {
                                  observations_.watch(input, run, tape, evaluator.means());
                                  if (options_.oracle != OracleName::reference)
                                    origins_.watch(input, run, tape);
                                  reached_.watch(tape);
                                  tell_progress();
                                });
    Sightings sightings(evaluator, Judge(session_, options_, judge_.outputs(), reference_),
                        [&](const Finding& finding) {
                          line_.send(json_text(Json{{"sighting", to_json(finding)}}));
                        });
    evaluator.between_runs([&] { sightings.between_runs(); });
    const search::Space space = space_of(session_.target(), options_);
    search::Quest quest{evaluator,
                        space,
                        judge_.outputs(),
                        numeric::Rng(options_.seed).fork(session_.target().symbol),
                        options_.ulps ? *options_.ulps * 0x1p-52 : options_.threshold,
                        options_.evaluations.has_value(),
                        options_.oracle == OracleName::reference,
                        judge_.claims(),
                        options_.floor,
                        options_.nonzero,
                        options_.checks,
                        wants_errors(),
                        options_.wanted.exceptions,
                        options_.past_exceptions,
                        [&](const exec::Input& input, double error) { sightings.promising(input, error); }};
    std::vector<search::Candidate> candidates = search::search(*search::find_strategy(options_.strategy), quest);
    evaluator.between_runs({});
    const uint64_t evaluations = evaluator.evaluations();
    const double seconds = evaluator.seconds() - sightings.seconds(); // what the oracle takes is not part of the search
    judge_all(candidates);
    Finishing finishing(session_, judge_, space);
    for (Finding& finding : findings_.sorted()) {
      finishing.finish(finding);
      line_.send(json_text(Json{{"finding", to_json(finding)}}));
    }
    const std::string elsewhere = reference_ ? std::string() : origins_.note(); // a reference sees everything
    Json done = {{"sites", program_sites()},
                 {"evaluations", evaluations},
                 {"seconds", seconds},
                 {"unknown", judge_.unknown() + origins_.inconclusive()},
                 {"out_of_time", evaluator.out_of_time()},
                 {"stopped", session_.asked_to_stop()},
                 {"folded", folded_},
                 {"note", elsewhere.empty() ? note() : elsewhere}};
    line_.send(Json{{"done", done}}.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

private:
  bool wants_errors() const { return options_.wanted.error || options_.wanted.branches || !judge_.claims().empty(); }

  // Every few thousand evaluations, and five times a second where they are slow.
  void tell_progress() {
    constexpr uint64_t many = 4096, look_at_the_clock = 8;
    constexpr std::chrono::milliseconds long_time(200);
    ++watched_;
    if (watched_ % look_at_the_clock != 1)
      return;
    const auto now = std::chrono::steady_clock::now();
    if (watched_ < told_ + many && now < told_at_ + long_time)
      return;
    told_ = watched_;
    told_at_ = now;
    line_.send(Json{{"progress", watched_}, {"reached", reached_.count()}, {"sites", program_sites()}}.dump());
  }

  uint64_t break_off() const { return line_.before_call ? *line_.before_call - 1 : search::Budget().break_off; }

  // Whatever these inputs show is noted as in a search. The worst error is sent at once: if the worker does not come to
  // its end, it is not lost.
  void retry() {
    search::Budget budget;
    budget.break_off = break_off();
    const Retry* current = nullptr;
    search::Evaluator evaluator(session_, budget,
                                [&](const exec::Input& input, const exec::Run& run, const tape::Tape& tape) {
                                  observations_.watch(input, run, tape, current->found_by);
                                });
    double worst = 0;
    for (const Retry& retry : retries_) {
      if (evaluator.spent())
        return;
      current = &retry;
      evaluator.run(retry.input);
      if (!evaluator.usable() || !wants_errors())
        continue;
      std::vector<Finding> found = judge_.errors(retry.input, retry.strategy);
      for (const Finding& finding : found)
        if (finding.error && finding.error->relative > worst) {
          worst = finding.error->relative;
          line_.send(json_text(Json{{"retried", to_json(finding)}}));
        }
      keep(std::move(found));
    }
  }

  void judge_all(const std::vector<search::Candidate>& candidates) {
    if (wants_errors())
      for (const search::Candidate& candidate : candidates)
        keep(judge_.errors(candidate.input, candidate.strategy));
    if (options_.wanted.branches)
      for (const auto& [site, inputs] : observations_.close_decisions())
        for (const exec::Input& input : inputs)
          keep(judge_.errors(input, options_.strategy));
    if (options_.wanted.error || options_.wanted.crashes)
      judge_outgrown();
    if (options_.wanted.exceptions)
      for (const Suspect& suspect : observations_.suspects())
        keep(unfolded(exception_judge_.findings(suspect, options_.strategy)));
    if (options_.wanted.crashes)
      for (const auto& [outcome, input] : observations_.crashes())
        if (outcome != exec::Outcome::killed) // the supervisor files these
          keep(judge_.crash(input, outcome, options_.strategy));
  }

  // Each costs the oracle's full time if it does not come to an end; then the next will not either.
  void judge_outgrown() {
    for (const exec::Input& input : observations_.outgrown()) {
      const uint64_t unknown = judge_.unknown();
      std::optional<Finding> finding = judge_.untaped(input, options_.strategy);
      const bool endless = judge_.unknown() > unknown || (finding && finding->kind == Kind::timeout);
      keep(std::move(finding));
      if (endless)
        return;
    }
  }

  std::vector<Finding> unfolded(std::vector<Finding> findings) {
    if (!options_.all)
      folded_ += std::erase_if(findings, [](const Finding& finding) { return !finding.counts(); });
    return findings;
  }

  void keep(std::vector<Finding> findings) {
    for (Finding& finding : findings)
      keep(std::optional(std::move(finding)));
  }

  void keep(std::optional<Finding> finding) {
    if (!finding)
      return;
    finding->id = identify(session_.target().function, *finding);
    findings_.add(std::move(*finding));
  }

  uint64_t program_sites() const { return session_.sites().sites.size() - runtime::first_program_site; }

  std::string note() const {
    if (observations_.runs_outgrown() > 0)
      return fmt::format("{} runs outgrew the tape, and {}: a smaller --size, or a --hold or --range that makes them "
                         "shorter, tells more",
                         observations_.runs_outgrown(),
                         judge_.unknown() > 0 ? "could not be judged (" + judge_.why_unknown() + ")"
                                              : "were judged without it");
    if (judge_.unknown() > 0)
      return fmt::format("the oracle could not judge {} candidates: {}", judge_.unknown(), judge_.why_unknown());
    if (const uint64_t unconfirmed = exception_judge_.unconfirmed(); unconfirmed > 0)
      return fmt::format("left out, as a run without instrumentation does not confirm them: {} exceptions",
                         unconfirmed);
    return {};
  }

  exec::Session& session_;
  const Options& options_;
  const std::vector<Retry>& retries_;
  exec::Line& line_;
  Locations locations_;
  Reporting reporting_;
  Observations observations_;
  Judge judge_;
  exec::Reference* reference_;
  ExceptionJudge exception_judge_;
  Origins origins_;
  Reached reached_;
  Collection findings_;
  uint64_t watched_ = 0, told_ = 0, folded_ = 0;
  std::chrono::steady_clock::time_point told_at_{};
};

} // namespace

void hunt_target(frontend::Program program, const frontend::Target& target, const Options& options,
                 const std::vector<Retry>& retries, exec::Reference* reference, exec::Line& line) {
  exec::Session session(std::move(program), target, options.limits, line.flight);
  session.skip(line.skip);
  TargetHunt(session, options, retries, reference, line).run();
}

} // namespace faultline::campaign
