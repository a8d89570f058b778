#include "base/text.h"
#include "judge/tasks/work.h"

#include "base/clock.h"
#include "judge/array_errors.h"
#include "judge/diagnosis/completion.h"
#include "judge/diagnosis/diagnose.h"
#include "judge/diagnosis/occurrence.h"
#include "judge/exceptions/exceptions.h"
#include "judge/exceptions/observations.h"
#include "judge/meaning/meaning_search.h"
#include "judge/space_of_target.h"
#include "model/collection.h"
#include "model/comparison.h"
#include "runtime/abi.h"
#include "search/space.h"
#include "search/strategy.h"
#include "tape/tape.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace faultline::judge {

using namespace model;
using base::counted;

namespace {

// The findings of a hunt in one function, by cause; in the end, the representatives of the causes at ordinary inputs,
// with diagnosis, share and condition.

// Analyses of runs that are needed again when their findings are completed, within a memory limit.
class Analyses {
public:
  void keep(const std::string& finding, std::shared_ptr<Analysis> analysis) {
    constexpr size_t most_values = largest_explained; // as many as the largest explained run has
    if (analysis && size_ + analysis->size() <= most_values && kept_.emplace(finding, analysis).second)
      size_ += analysis->size();
  }
  std::shared_ptr<Analysis> find(const std::string& finding) const {
    const auto found = kept_.find(finding);
    return found == kept_.end() ? nullptr : found->second;
  }

private:
  std::map<std::string, std::shared_ptr<Analysis>> kept_; // by the finding's id
  size_t size_ = 0;
};

// The amount of work for each finding.
enum class Finish : uint8_t {
  whole,      // the simplest input, the diagnosis with a remedy, share and condition
  briefly,    // an everyday input if there is one, which determines the tier; and the diagnosis
  own_inputs, // the diagnosis: some inputs have killed a worker, so only earlier inputs are run again
};

class HuntFindings {
public:
  // `known`: causes that are not diagnosed again.
  // `everyday`: others are left out.
  HuntFindings(std::string function, const std::vector<KnownCause>& known, bool everyday)
      : function_(std::move(function)), known_(known), everyday_(everyday) {}

  void keep(std::vector<JudgedFinding> all);
  void keep(std::vector<Finding> findings);
  void keep(std::optional<Finding> finding);

  struct FinalFindings {
    std::vector<Finding> findings; // sorted
    std::vector<Finding> again;    // of known causes, as they were found
  };
  // Takes the findings out.
  FinalFindings finished(Completion& completion, Occurrence& occurrence, Deadline& deadline, Finish finish);

private:
  std::string function_;
  const std::vector<KnownCause>& known_;
  bool everyday_;
  Collection findings_;
  Analyses analyses_;
};

void HuntFindings::keep(std::vector<JudgedFinding> all) {
  for (auto& [finding, analysis] : all) {
    if (everyday_ && !finding.everyday)
      continue;
    finding.id = identify(function_, finding);
    analyses_.keep(finding.id, std::move(analysis));
    findings_.add(std::move(finding));
  }
}

void HuntFindings::keep(std::vector<Finding> findings) {
  for (Finding& finding : findings)
    keep(std::optional(std::move(finding)));
}

void HuntFindings::keep(std::optional<Finding> finding) {
  if (!finding || (everyday_ && !finding->everyday))
    return;
  finding->id = identify(function_, *finding);
  findings_.add(std::move(*finding));
}

HuntFindings::FinalFindings HuntFindings::finished(Completion& completion, Occurrence& occurrence, Deadline& deadline,
                                                   Finish finish) {
  std::vector<Finding> finished, again;
  auto diagnose = [&](JudgedFinding& found) {
    deadline.within(end_of_diagnosing, [&] {
      completion.diagnose(found, finish == Finish::whole ? Completion::Inputs::any : Completion::Inputs::its_own);
    });
  };
  for (Collection::Entry& entry : findings_.entries()) {
    Finding& speaker = entry.representative ? *entry.representative : entry.largest;
    if (says_nothing_new(entry, known_)) {
      again.push_back(std::move(speaker));
      continue;
    }
    JudgedFinding representative{speaker, analyses_.find(speaker.id)};
    if (finish != Finish::own_inputs)
      deadline.within(end_of_simplifying, [&] {
        completion.simplify(representative, finish == Finish::whole ? Simplest::wanted : Simplest::everyday_will_do);
      });
    JudgedFinding largest{std::move(entry.largest), nullptr};
    if (finish == Finish::whole)
      deadline.within(end_of_simplifying, [&] { completion.approach_root(largest); });
    const bool moved = representative.finding.id != largest.finding.id;
    if (moved && is_much_larger(largest.finding, representative.finding)) {
      representative.finding.also.clear();
      representative.finding.merged = 0;
      if (!largest.analysis)
        largest.analysis = analyses_.find(largest.finding.id);
      diagnose(largest);
      finished.push_back(std::move(largest.finding));
    } else if (moved && is_error(representative.finding.kind)) {
      merge_into(representative.finding, std::move(largest.finding));
    }
    diagnose(representative);
    if (tier_of(representative.finding) != Tier::note && finish == Finish::whole)
      deadline.within(end_of_simplifying, [&] { occurrence.measure(representative.finding); });
    finished.push_back(std::move(representative.finding));
  }
  sort_findings(finished);
  return {std::move(finished), std::move(again)};
}

constexpr uint64_t pause = 20'000'000; // records: about half a second
constexpr uint64_t work_of_a_run = 200;
constexpr double news = 8; // factor over the last reported error

// Notes of a hunt in one function, in addition to its findings, in a sentence or two.
std::string note(const Observations& observations, const Judge& judge, const ExceptionJudge& exceptions) {
  if (observations.runs_outgrown() > 0)
    return fmt::format("{} outgrew the tape, and {}: try a smaller --size, or a --hold or --range that "
                       "makes them shorter",
                       counted(observations.runs_outgrown(), "run"),
                       judge.unknown() > 0                 ? "could not be judged (" + judge.why_unknown() + ")"
                       : observations.runs_outgrown() == 1 ? "was judged without it"
                                                           : "were judged without it");
  if (judge.unknown() > 0)
    return fmt::format("the oracle could not judge {}: {}", counted(judge.unknown(), "candidate"), judge.why_unknown());
  if (const uint64_t unconfirmed = exceptions.unconfirmed(); unconfirmed > 0)
    return fmt::format("left out, as a run without instrumentation does not confirm them: {}",
                       counted(unconfirmed, "exception"));
  return {};
}

// `elsewhere`: the note on outputs of foreign code (judge/exceptions/observations.h), if any.
std::string hunt_note(const model::Target& target, const Settings& settings, const std::string& elsewhere,
                      const Observations& observations, const Judge& judge, const ExceptionJudge& exceptions) {
  std::string text = elsewhere.empty() ? note(observations, judge, exceptions) : elsewhere;
  const auto add = [&](uint64_t count, const std::string& what) {
    text += fmt::format("{}{} input{} {}", text.empty() ? "" : "; ", count, count == 1 ? " was" : "s were", what);
  };
  const auto say = [&](const std::string& words) {
    if (!words.empty())
      text += (text.empty() ? "" : "; ") + words;
  };
  say(guessed_lengths(target, settings));
  // "12 inputs were refused by mtherr"
  for (const auto& [handler, count] : observations.refused())
    add(count, "refused by " + handler);
  for (const auto& [words, missed] : observations.missed())
    say(fmt::format("{} of {} inputs: {} ({})", missed.inputs, observations.inputs(), words,
                    advice_on_missing(missed.ending)));
  if (judge.undefined() > 0)
    add(judge.undefined(), "not judged, as the meaning is not defined there");
  return text;
}

// The limits of a search: the budget of a function without what failed workers have spent.

// The time spent by earlier workers. This one gets at least half of the budget: it knows what to skip.
double spent_before(const Settings& settings, const exec::Channel& channel) {
  return std::min(channel.spent, settings.budget_seconds / 2);
}

// The number of the call before the one that killed a worker.
uint64_t break_off(const exec::Channel& channel) {
  return channel.before_call ? *channel.before_call - 1 : search::Budget().break_off;
}

search::Budget hunt_budget(const Settings& settings, const HuntTask& task, const exec::Channel& channel) {
  search::Budget budget;
  constexpr double records_a_second = 20e6; // the nominal rate: less than a core's, so that the count ends the search
  budget.seconds = std::max(settings.budget_seconds * end_of_search - spent_before(settings, channel), 0.0);
  budget.records = uint64_t(records_a_second * std::min(settings.budget_seconds, 1e6));
  if (settings.evaluations) {
    budget.evaluations = *settings.evaluations;
    budget.records = task.operations.value_or(~uint64_t(0));
  }
  budget.break_off = break_off(channel);
  return budget;
}

// The number of the program's operations that have been executed: for the status line, so occasional updates suffice.
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
  TargetHunt(exec::Session& session, const Settings& settings, const HuntTask& task, exec::Reference* reference,
             const exec::Channel& channel, const Tell& tell)
      : session_(session), settings_(settings), task_(task), channel_(channel), tell_(tell),
        deadline_(settings.budget_seconds, spent_before(settings, channel)), locations_(session.sites()),
        notice_(session.target(), settings), space_(space_of(session.target(), settings)),
        everyday_(search::everyday_part(space_)), usual_(search::usual_part(space_)),
        observations_({settings.wanted.branches, settings.wanted.exceptions}, session.sites(), locations_, notice_,
                      space_),
        judge_(session, settings, judged_outputs(session.target(), settings), reference), reference_(reference),
        exception_judge_(session, settings, judge_, locations_, notice_), origins_(session, judge_.outputs()),
        reached_(session.sites().sites.size()),
        gathered_(session.target().function, task.known, settings.scope == Scope::everyday) {}

  void run() {
    search::look_for_intended_roundings(session_, space_, usual_, numeric::Rng(settings_.seed).fork("first looks"));
    retry();
    search::Evaluator evaluator(
        session_, hunt_budget(settings_, task_, channel_),
        [&](const exec::Input& input, const exec::Run& run, const tape::Tape& tape) {
          observations_.watch(input, run, tape, evaluator.found_by());
          if (!judge_.sees_everything())
            origins_.watch(input, run, tape);
          reached_.watch(tape);
          tell_progress();
        },
        &space_);
    Sightings sightings(evaluator, Judge(session_, settings_, judge_.outputs(), reference_),
                        [&](const Finding& finding) {
                          tell_(FindingMessage{FindingRole::sighted, finding});
                        });
    evaluator.between_runs([&] { sightings.between_runs(); });
    search::Quest quest = quest_for(evaluator, sightings);
    std::optional<base::TimeLimit> limit(std::in_place, deadline_.left(end_of_judging));
    const std::vector<search::Candidate> candidates = search::search(*search::find_strategy(settings_.strategy), quest);
    evaluator.between_runs({});
    limit.emplace(deadline_.left(end_of_lifted_runs));
    const uint64_t evaluations = evaluator.evaluations();
    const double seconds = evaluator.seconds() - sightings.seconds(); // the oracle's time is not part of the search
    tell_phase("judging candidates");
    session_.end_lifted_within(deadline_.left(end_of_lifted_runs));
    judge_all(candidates);
    search_by_meaning();
    look_at_ordinary_inputs();
    look_for_early_stops();
    tell_phase("diagnosing");
    finish();
    const std::string elsewhere = judge_.sees_everything() ? std::string() : origins_.note();
    HuntDone done;
    done.sites = program_sites();
    done.evaluations = evaluations;
    done.seconds = seconds;
    done.total_seconds = deadline_.seconds();
    done.unknown = judge_.unknown() + origins_.inconclusive() + observations_.all_missed();
    done.out_of_time = evaluator.out_of_time();
    done.cut = evaluator.cut() || deadline_.cut() || judge_.meaning().cut();
    done.stopped = session_.asked_to_stop();
    done.folded = folded_;
    done.judged = judge_.judged();
    done.largest_everyday = judge_.largest_everyday();
    done.largest = judge_.largest();
    done.note = hunt_note(session_.target(), settings_, elsewhere, observations_, judge_, exception_judge_);
    tell_(done);
  }

private:
  bool wants_errors() const { return settings_.wanted.error || settings_.wanted.branches || !judge_.claims().empty(); }

  search::Quest quest_for(search::Evaluator& evaluator, Sightings& sightings) const {
    return {evaluator,
            searched(),
            judge_.outputs(),
            numeric::Rng(settings_.seed).fork(session_.target().symbol),
            {.threshold = searched_threshold(settings_, session_.target(), judge_.outputs()),
             .counted_in = counted_in(settings_),
             .use_all = settings_.evaluations.has_value(),
             .oracle_sees_more = settings_.oracle == OracleName::reference || !judge_.meaning().empty(),
             .claims = judge_.claims(),
             .floor = settings_.floor,
             .nonzero = settings_.nonzero,
             .checks = checks_of(settings_),
             .errors_wanted = wants_errors(),
             .exceptions_wanted = settings_.wanted.exceptions,
             .past_exceptions = settings_.past_exceptions,
             .on_promising = [&](const exec::Input& input,
                                 double error) { sightings.promising(space_.legal(input), error); },
             .part = search::Part::whole,
             .everyday = reaches_beyond_usual(searched()) ? &usual_ : nullptr,
             .goes_on = has_threshold(settings_) && !settings_.single_pass,
             .climbs = small_errors_count(settings_) && !settings_.single_pass}};
  }

  // Simplifies, diagnoses and sends the findings.
  void finish() {
    RemedyTrial trial(session_, settings_, judge_, searched(), everyday_, &deadline_);
    Completion completion(session_, judge_, exception_judge_, searched(), everyday_, trial, !settings_.single_pass,
                          &deadline_);
    Occurrence occurrence(session_, settings_, judge_, locations_, space_, everyday_, &deadline_);
    const Finish how = has_killed_workers() ? Finish::own_inputs : task_.briefly ? Finish::briefly : Finish::whole;
    const HuntFindings::FinalFindings all = gathered_.finished(completion, occurrence, deadline_, how);
    for (const Finding& finding : all.findings)
      tell_(FindingMessage{FindingRole::found, finding});
    for (const Finding& finding : all.again)
      tell_(FindingMessage{FindingRole::again, finding});
  }

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
    tell_(SearchProgress{watched_, reached_.count(), program_sites()});
  }

  const search::Space& searched() const { return settings_.scope == Scope::everyday ? everyday_ : space_; }
  bool has_killed_workers() const { return !channel_.skip.empty() || channel_.before_call; }
  void tell_phase(const char* phase) { tell_(SearchProgress{watched_, reached_.count(), program_sites(), phase}); }

  // Runs these inputs and watches them as in a search. Sends the worst error at once, so that it is not lost if the
  // worker fails.
  void retry() {
    search::Budget budget;
    budget.break_off = break_off(channel_);
    const Retry* current = nullptr;
    search::Evaluator evaluator(session_, budget,
                                [&](const exec::Input& input, const exec::Run& run, const tape::Tape& tape) {
                                  observations_.watch(input, run, tape, current->found_by);
                                });
    double worst = 0;
    for (const Retry& retry : task_.retries) {
      if (evaluator.spent())
        return;
      if (!space_.allows(retry.input))
        continue;
      current = &retry;
      const tape::Tape tape = evaluator.run(retry.input);
      if (!evaluator.usable() || !wants_errors())
        continue;
      std::vector<JudgedFinding> all = judge_.errors(retry.input, tape, retry.strategy);
      for (const auto& [finding, analysis] : all)
        if (finding.error && finding.error->relative > worst) {
          worst = finding.error->relative;
          tell_(FindingMessage{FindingRole::retried, finding});
        }
      gathered_.keep(std::move(all));
    }
  }

  void judge_error(const exec::Input& input, const std::string& strategy) {
    deadline_.within(end_of_judging, [&] { gathered_.keep(judge_.errors(input, strategy)); });
  }

  void judge_all(const std::vector<search::Candidate>& candidates) {
    if (wants_errors())
      for (const search::Candidate& candidate : candidates)
        judge_error(candidate.input, candidate.strategy);
    if (settings_.wanted.branches)
      for (const auto& [site, inputs] : observations_.close_decisions())
        for (const exec::Input& input : inputs)
          judge_error(input, settings_.strategy);
    if (settings_.wanted.error || settings_.wanted.crashes)
      judge_outgrown();
    if (settings_.wanted.exceptions)
      for (const Suspect& suspect : observations_.suspects())
        deadline_.within(end_of_simplifying,
                         [&] { gathered_.keep(unfolded(exception_judge_.findings(suspect, settings_.strategy))); });
    if (settings_.wanted.crashes)
      for (const auto& [outcome, input] : observations_.crashes())
        if (outcome != exec::Outcome::killed) // the supervisor handles these
          gathered_.keep(judge_.crash(input, outcome, settings_.strategy));
    if (settings_.wanted.crashes)
      for (const auto& [end, input] : observations_.endings())
        gathered_.keep(finding_of(end, input, judge_, settings_.strategy));
  }

  // Finds errors that the search does not see, as it looks for rounding.
  void search_by_meaning() {
    if (judge_.meaning().empty() || !settings_.wanted.error || has_killed_workers())
      return;
    MeaningSearch search(session_, judge_, settings_, searched(), everyday_);
    for (const exec::Input& input : search.inputs([&] { return deadline_.passed(end_of_judging); }))
      judge_error(input, meaning_strategy);
  }

  // If the search has no candidates, judges some everyday inputs: the accuracy of the code is a result too.
  void look_at_ordinary_inputs() {
    constexpr int looks = 8;
    if (wants_errors())
      look_at_everyday_inputs(looks, "ordinary inputs", [&] { return !judge_.largest_everyday(); });
  }

  // A search follows rounding errors, which loops that stop too early do not have. Some everyday inputs show them.
  void look_for_early_stops() {
    constexpr int looks = 48;
    if (settings_.oracle == OracleName::lifted && settings_.wanted.error)
      look_at_everyday_inputs(looks, "early stops", [&] { return judge_.looks_for_truncation(); });
  }

  void look_at_everyday_inputs(int most, const char* name, const auto& go_on) {
    numeric::Rng rng = numeric::Rng(settings_.seed).fork(name);
    for (int i = 0; i < most && !has_killed_workers() && go_on() && !deadline_.passed(end_of_judging); ++i)
      judge_error(i % 2 == 0 ? everyday_.sample_floats(rng) : everyday_.sample_reals(rng), settings_.strategy);
  }

  // Each costs the oracle's full time if it does not finish; then the next will not either.
  void judge_outgrown() {
    for (const exec::Input& input : observations_.outgrown()) {
      if (deadline_.passed(end_of_judging))
        return;
      const uint64_t unknown = judge_.unknown();
      std::optional<Finding> finding = judge_.untaped(input, settings_.strategy);
      const bool endless = judge_.unknown() > unknown || (finding && finding->kind == Kind::timeout);
      gathered_.keep(std::move(finding));
      if (endless)
        return;
    }
  }

  std::vector<Finding> unfolded(std::vector<Finding> findings) {
    if (!settings_.all)
      folded_ += std::erase_if(findings, [](const Finding& finding) { return !finding.counts(); });
    return findings;
  }

  uint64_t program_sites() const { return session_.sites().sites.size() - runtime::first_program_site; }

  exec::Session& session_;
  const Settings& settings_;
  const HuntTask& task_;
  const exec::Channel& channel_;
  const Tell& tell_;
  Deadline deadline_;
  Locations locations_;
  CallerNotice notice_;
  search::Space space_, everyday_, usual_; // all inputs, the everyday part of them, and what is searched first
  Observations observations_;
  Judge judge_;
  exec::Reference* reference_;
  ExceptionJudge exception_judge_;
  Origins origins_;
  Reached reached_;
  HuntFindings gathered_;
  uint64_t watched_ = 0, told_ = 0, folded_ = 0;
  std::chrono::steady_clock::time_point told_at_{};
};

} // namespace

uint64_t Sightings::work() const { return evaluator_.records() + work_of_a_run * evaluator_.evaluations(); }

void Sightings::promising(const exec::Input& input, double error) {
  if (error > error_) {
    best_ = input;
    error_ = error;
  }
}

void Sightings::between_runs() {
  if (!(error_ > news * told_) || work() < next_)
    return;
  next_ = work() + pause;
  const base::Stopwatch watch;
  const double score = error_;
  try {
    for (const auto& [finding, analysis] : judge_.errors(best_, ""))
      if (is_error(finding.kind) && finding.error) {
        tell_(finding);
        break;
      }
  } catch (const base::TimeLimitExceeded&) { // the search is nearly over
  }
  told_ = score; // whatever the judge's result
  seconds_ += watch.seconds();
}

void hunt_target(exec::Session& session, const Settings& settings, const HuntTask& task, exec::Reference* reference,
                 const exec::Channel& channel, const Tell& tell) {
  TargetHunt(session, settings, task, reference, channel, tell).run();
}

} // namespace faultline::judge
