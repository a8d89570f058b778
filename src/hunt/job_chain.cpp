#include "hunt/job_chain.h"

#include "base/text.h"
#include "exec/extent_probe.h"
#include "hunt/replay.h"
#include "judge/extent_search.h"
#include "judge/space_of_target.h"
#include "judge/tasks/work.h"
#include "model/finding.h"
#include "model/safety_map.h"
#include "numeric/decimal.h"
#include "numeric/stable_sort.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>

namespace faultline::hunt {

using namespace model;
using base::UserError;
using judge::space_of;

namespace {

// True if function and file have the same names. The folder may have moved.
bool is_of(const TargetReport& report, const model::Target& target) {
  return report.function == target.function &&
         std::filesystem::path(report.file).filename() == std::filesystem::path(target.file).filename();
}

// Returns no input if its names differ from those of the space, or if a value lies outside of the space.
std::optional<exec::Input> input_in(const search::Space& space, const std::vector<NamedNumber>& named) {
  if (named.size() != space.dimensions.size())
    return {};
  exec::Input input;
  for (size_t i = 0; i < named.size(); ++i) {
    const search::Dimension& dimension = space.dimensions[i];
    const std::optional<numeric::Value> value = numeric::parse_long_double(named[i].value.hex);
    if (named[i].name != dimension.name || !value || !(*value >= dimension.low && *value <= dimension.high) ||
        dimension.nearest(*value) != *value)
      return {};
    input.push_back(*value);
  }
  return input;
}

double error_of(const Finding& finding) {
  return finding.error && !std::isnan(finding.error->relative) ? finding.error->relative : 0;
}

// The wall-clock limit for probing array sizes after a run went beyond them.
double seconds_to_probe(const Settings& settings) {
  constexpr double slack = 1;
  return judge::extent_share * settings.budget_seconds + slack;
}

// True if exactly one input is free. With more free inputs, a map cannot be expressed as a condition on one of them.
bool has_one_free_input(const model::Target& target, const Settings& settings) {
  const search::Space space = judge::space_of(target, settings);
  return std::ranges::count_if(space.dimensions, [](const search::Dimension& one) { return !one.held(); }) == 1;
}

// Returns the task to prove that there is no error; none if there is nothing to prove or no method for it.
std::optional<Task> proof_task(const TargetReport& report, const model::Target& target, const Settings& settings) {
  ProveTask task;
  for (const Finding& finding : report.findings)
    if (finding.kind == Kind::inaccuracy && finding.counts())
      task.found.push_back(finding.values);
  const bool silent = report.outcome == TargetOutcome::none;
  const bool wrong =
      report.outcome == TargetOutcome::found && !task.found.empty() && has_one_free_input(target, settings);
  if ((!silent && !wrong) || !judge::can_be_proved(target, settings))
    return std::nullopt;
  return task;
}

// Adds the proved ranges without an error to the sampled ranges with an error in the findings.
void tell_when(TargetReport& report) {
  const SafetyMap& map = report.proof->map;
  for (size_t i = 0; i < report.inputs.size(); ++i) {
    const std::string words = report.inputs[i].low != report.inputs[i].high
                                  ? model::safe_words(map, i, report.inputs[i].name)
                                  : std::string();
    if (!words.empty())
      for (Finding& finding : report.findings)
        if (finding.kind == Kind::inaccuracy && !finding.half_digits) // other findings have another threshold
          finding.when += (finding.when.empty() ? "" : "; ") + words;
  }
}

// True for signals that come from other processes: kill -9, and batch systems that end each process of a task.
bool is_of_others(int signal) { return signal == SIGKILL || signal == SIGTERM || signal == SIGHUP; }

} // namespace

std::vector<Retry> CorpusSession::retries(const model::Target& target, const Settings& settings) {
  std::vector<Retry> all;
  if (!corpus_)
    return all;
  const search::Space space = space_of(target, settings);
  const auto add = [&](const std::vector<NamedNumber>& named, const Finding& finding) {
    std::optional<exec::Input> input = input_in(space, named);
    if (!input)
      return false;
    if (std::ranges::none_of(all, [&](const Retry& retry) { return exec::same_bits(retry.input, *input); }))
      all.push_back({std::move(*input), finding.strategy, finding.found_by.empty() ? "corpus" : finding.found_by});
    return true;
  };
  for (const Kept& kept : corpus_->kept) {
    const Finding& finding = kept.finding;
    if (!is_of(kept.target, target) || !is_wanted(finding.kind, settings.wanted))
      continue;
    if (add(finding.input, finding))
      retried_.insert(kept.file);
    for (const Witness& witness : finding.also)
      add(witness.input, finding);
  }
  return all;
}

const Kept* CorpusSession::find(const std::string& fingerprint) const {
  if (!corpus_)
    return nullptr;
  const auto found =
      std::ranges::find_if(corpus_->kept, [&](const Kept& kept) { return kept.finding.fingerprint == fingerprint; });
  return found == corpus_->kept.end() ? nullptr : &*found;
}

bool CorpusSession::keeps(const Finding& finding) const {
  if (!corpus_ || finding.suppressed || (finding.aftermath && finding.aftermath->harmless))
    return false;
  const Kept* before = find(finding.fingerprint);
  return !before || retried_.contains(before->file) || error_of(finding) >= error_of(before->finding);
}

std::string CorpusSession::file_of(const TargetReport& target, const Finding& finding) {
  constexpr size_t longest = 64; // names of instances of templates are long
  std::string name = target.function.substr(0, longest);
  for (char& c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')))
      c = '_';
  return fmt::format("{}-{}.json", name, finding.fingerprint);
}

std::vector<std::string> CorpusSession::remarks(const Report& report) const {
  std::vector<std::string> remarks;
  for (const Kept& kept : corpus_ ? corpus_->kept : std::vector<Kept>()) {
    const auto target = std::ranges::find_if(
        report.targets, [&](const TargetReport& target) { return target.function == kept.target.function; });
    if (!retried_.contains(kept.file) || target == report.targets.end() ||
        target->outcome == TargetOutcome::interrupted)
      continue;
    if (std::ranges::none_of(target->findings,
                             [&](const Finding& finding) { return finding.fingerprint == kept.finding.fingerprint; }))
      remarks.push_back(fmt::format("{}/{}: note: the {} in {} no longer occurs; delete the file if it is fixed",
                                    corpus_->folder, kept.file, text(kept.finding.kind), kept.target.function));
  }
  return remarks;
}

Confirmation::Confirmation(const model::Target& target, const Settings& settings, const std::vector<Finding>& findings,
                           const std::set<std::string>& deaths)
    : target_(target), settings_(settings) {
  for (const size_t i : order_by_input(findings)) {
    wanted_.push_back({i, {checked_input(target, findings[i].values), findings[i]}, deaths.contains(findings[i].id)});
  }
  numeric::sort_stably(wanted_, {}, &Wanted::is_death); // deaths last
}

Task Confirmation::task() const {
  ReplayTask task;
  for (const Wanted& wanted : wanted_)
    task.findings.push_back(wanted.found);
  return task;
}

void Confirmation::take(const Message& message) {
  if (const auto* death = std::get_if<WorkerDeath>(&message))
    return take(*death);
  const auto* result = std::get_if<ReplayResult>(&message);
  if (!result || next_ == wanted_.size())
    return;
  Wanted& wanted = wanted_[next_++];
  if (!wanted.is_death)
    wanted.answer = result->reproduced ? Answer::yes : Answer::no;
  else if (wanted.answer == Answer::open)
    wanted.answer = Answer::no; // its worker lives
}

void Confirmation::take(const WorkerDeath& death) {
  next_ = 0; // another worker begins anew, without the call that killed this one
  const std::optional<Finding> again = finding_of(death, target_, settings_);
  for (Wanted& wanted : wanted_)
    if (again && wanted.is_death && again->id == wanted.found.finding.id &&
        again->detail == wanted.found.finding.detail)
      wanted.answer = Answer::yes;
}

std::vector<size_t> Confirmation::refuted() const {
  std::vector<size_t> places;
  for (const Wanted& wanted : wanted_)
    if (wanted.answer == Answer::no)
      places.push_back(wanted.place);
  std::ranges::sort(places);
  return places;
}

size_t Confirmation::left_over() const { return size_t(std::ranges::count(wanted_, Answer::open, &Wanted::answer)); }

Collector::Collector(HuntContext& context, const model::Target& target, const Settings& settings,
                     const MeasuredExtents& measured)
    : context_(context), target_(target), settings_(settings), measured_(measured),
      report_(blank_report(target, settings)) {
  report_.extents = measured.extents;
}

void Collector::take(const Message& message) {
  if (last_word_ && !is_of_supervisor(message))
    throw UserError(base::status_internal, "message after the end of the job");
  if (const auto* progress = std::get_if<SearchProgress>(&message))
    take(*progress);
  else if (const auto* finding = std::get_if<FindingMessage>(&message))
    take(*finding);
  else if (const auto* done = std::get_if<HuntDone>(&message))
    take(*done);
  else if (const auto* failure = std::get_if<Failure>(&message))
    take(*failure);
  else if (const auto* death = std::get_if<WorkerDeath>(&message))
    take(*death);
  else if (const auto* end = std::get_if<JobEnd>(&message))
    this->end(*end);
  else
    throw UserError(base::status_internal, "unexpected message type");
}

void Collector::take(const Failure& failure) {
  last_word_ = true;
  error_.emplace(failure.status, failure.what, failure.hint);
}

void Collector::unreadable(const std::string& why) {
  ++unknown_;
  report_.note = fmt::format("a message of its worker could not be read: {}", base::first_line(why));
}

void Collector::take(const SearchProgress& progress) {
  report_.evaluations = progress.evaluations;
  context_.progress.function = report_.function;
  context_.progress.phase = progress.phase;
  context_.progress.reached = progress.reached;
  context_.progress.sites = progress.sites;
}

void Collector::take(const FindingMessage& message) {
  constexpr size_t longest = 10'000; // of a sentence
  if (message.finding.detail.size() > longest)
    throw UserError(base::status_internal, "the detail of its finding is too long");
  switch (message.role) {
  case FindingRole::found:
    check(message.finding);
    if (message.finding.detail == exec::text(exec::Outcome::overrun) && !exec::free_arrays(target_, true).empty())
      overruns_.push_back(message.finding);
    else
      add(message.finding);
    return;
  case FindingRole::again:
    check(message.finding);
    return met_again(message.finding);
  case FindingRole::sighted:
  case FindingRole::retried:
    return sighted(message.finding, message.role == FindingRole::sighted);
  case FindingRole::judged:
  case FindingRole::uncounted:
    throw UserError(base::status_internal, "unexpected message type");
  }
}

// Checks that the finding is about this target. A fresh worker checks the rest (Confirmation).
void Collector::check(const Finding& finding) const {
  constexpr size_t most = 10'000; // findings: a guess; the most that were seen of one function were 279, of 300 inputs
  const bool fits = std::ranges::equal(finding.input, target_.inputs, {}, &NamedNumber::name, &model::Cell::name);
  if (!fits || finding.id != identify(report_.function, finding))
    throw UserError(base::status_internal, "its finding belongs to another function");
  check_places(finding);
  if (report_.findings.size() >= most)
    throw UserError(base::status_internal, "there are too many findings");
}

// A problem gathers what all functions find on a line.
void Collector::check_places(const Finding& finding) const {
  const auto is_elsewhere = [&](const model::Cause& place) {
    const bool is_whole_function = place.line == target_.line && place.file == target_.file; // of a wrong method
    return place.line > 0 && lines_ && !is_whole_function && !lines_->contains({place.file, place.line});
  };
  if ((finding.cause && is_elsewhere(*finding.cause)) ||
      (finding.aftermath && finding.aftermath->origin && is_elsewhere(finding.aftermath->origin->place)))
    throw UserError(base::status_internal, "its finding is about a line that the function has not");
}

void Collector::take(const HuntDone& done) {
  report_.sites = done.sites;
  report_.evaluations = done.evaluations;
  report_.judged = done.judged;
  report_.seconds = done.seconds;
  report_.total_seconds = done.total_seconds;
  report_.cut = done.cut || measured_.cut;
  report_.largest_everyday = done.largest_everyday;
  report_.largest = done.largest;
  report_.note = done.note;
  report_.folded = done.folded;
  if (lacks_evidence() && report_.findings.empty() && done.unknown == 0)
    add_note("no result was judged at an everyday input");
  unknown_ = done.unknown;
  evaluations_ = done.evaluations;
  last_word_ = true;
  done_ = !done.stopped;
  if (done.stopped && !is_stopped())
    distrust("its worker stopped, which it was not asked to do");
}

// The result of this job is not reliable.
void Collector::distrust(const std::string& why) {
  ++unknown_;
  done_ = false;
  add_note(why);
}

// Reports a sighting at once if it is new, and keeps it in case the worker does not finish.
void Collector::sighted(Finding finding, bool news) {
  check_places(finding);
  finding.id = identify(report_.function, finding);
  finding.strategy = settings_.strategy;
  name_commands(finding);
  context_.set_aside.apply(report_, finding);
  note_worst(finding);
  if (news && finding.counts() && context_.listener.on_sighting)
    context_.listener.on_sighting(report_, finding);
  sighting_ = std::move(finding);
}

void Collector::met_again(Finding finding) {
  context_.set_aside.apply(report_, finding);
  const std::string fingerprint = finding.fingerprint;
  again_.emplace(fingerprint, std::move(finding));
}

void Collector::name_commands(Finding& finding) const {
  finding.replay = replay_command(context_.options, settings_, report_, finding);
  finding.explain = explain_command(context_.options, settings_, report_, finding);
}

void Collector::note_worst(const Finding& finding) {
  Progress& progress = context_.progress;
  if (!finding.error || finding.kind == Kind::overflow || !finding.counts() ||
      !(finding.error->relative > progress.worst_error))
    return;
  progress.worst_error = finding.error->relative;
  constexpr size_t longest_file = 200; // of a line for people, which is shown again and again
  progress.worst_where = finding.cause ? fmt::format("{}, {}:{}", report_.function,
                                                     finding.cause->file.substr(0, longest_file), finding.cause->line)
                                       : report_.function;
}

void Collector::add(Finding finding) {
  // A restarted worker sends the findings of its predecessor again.
  if (std::ranges::find(report_.findings, finding.id, &Finding::id) != report_.findings.end())
    return;
  name_commands(finding);
  context_.set_aside.apply(report_, finding);
  report_.findings.push_back(std::move(finding));
  const Finding& kept = report_.findings.back();
  note_worst(kept);
  keep(kept); // at once, so that it is not lost with the hunt
}

// Keeps a finding in the corpus, without the fields that may differ from run to run.
void Collector::keep(const Finding& finding) const {
  if (!context_.listener.on_keep || !context_.corpus.keeps(finding))
    return;
  TargetReport alone = report_;
  alone.evaluations = 0;
  alone.seconds = 0;
  alone.outcome = TargetOutcome::found;
  alone.findings = {finding};
  Report report = blank_report(context_.options);
  report.targets = {std::move(alone)};
  context_.listener.on_keep(report, CorpusSession::file_of(report_, finding));
}

// Makes a finding of the input of the call in which the worker died.
void Collector::take(const WorkerDeath& death) {
  last_word_ = done_ = false; // even if a message was that it was done
  timed_out_ = death.hung;
  std::optional<Finding> finding = finding_of(death, target_, settings_);
  if (!finding) {
    report_.note = note_of(death);
    unknown_ += death.in_reference;
    return;
  }
  if (!settings_.wanted.crashes)
    return;
  finding->strategy = settings_.strategy;
  if (std::ranges::none_of(report_.findings, [&](const Finding& other) {
        return other.kind == finding->kind && other.detail == finding->detail;
      })) {
    deaths_.insert(finding->id);
    add(std::move(*finding));
  }
}

void Collector::end(const JobEnd& end) {
  ++context_.progress.targets_done;
  if (done_ && (!end.completed || evaluations_ > end.calls))
    distrust(end.completed
                 ? fmt::format("its worker reported {} evaluations, but began {} calls", evaluations_, end.calls)
                 : "its worker did not end after its last message");
  if (!measured_.note.empty())
    add_note(measured_.note);
  const bool has_error = std::ranges::any_of(report_.findings, [](const Finding& f) { return is_error(f.kind); });
  if (!done_ && sighting_ && !has_error) {
    report_.findings.insert(report_.findings.begin(), std::move(*sighting_));
    keep(report_.findings.front());
  }
  report_.outcome = outcome();
}

std::optional<Task> Collector::overruns() const {
  ProbeTask task;
  for (const Finding& finding : overruns_)
    task.overruns.push_back(finding.values);
  return overruns_.empty() ? std::nullopt : std::optional<Task>(std::move(task));
}

void Collector::take_overrun(const Message& message) {
  if (const auto* judged = std::get_if<OverrunJudgement>(&message); judged && !overruns_.empty())
    take(*judged);
  if (!std::holds_alternative<JobEnd>(message))
    return;
  if (!overruns_.empty()) {
    add_note("a run went beyond its arguments, and whether larger arrays would help is not known");
    ++unknown_;
  }
  report_.outcome = outcome();
}

// Overruns are judged in the order of the task.
void Collector::take(const OverrunJudgement& judged) {
  Finding finding = std::move(overruns_.front());
  overruns_.erase(overruns_.begin());
  const auto unknown =
      std::ranges::find_if(measured_.extents, [](const FoundExtent& found) { return found.endless || found.before; });
  if (!judged.larger_helps && unknown != measured_.extents.end()) { // not the code's fault, as far as is known
    ++unknown_;
    return add_note(
        fmt::format("a run went beyond {0}, whose length was not found (--size {0}=N)", unknown->parameter));
  }
  if (!judged.larger_helps) {
    finding.doubtful = false;
    return add(std::move(finding));
  }
  std::string sizes, input;
  for (const FoundExtent& needed : judged.needed)
    sizes += fmt::format(" --size {}={}", needed.parameter, needed.extents.front());
  for (const NamedNumber& number : finding.input)
    if (!number.name.ends_with(']') && number.value.decimal.find_first_of(".ein") == std::string::npos)
      input += fmt::format("{}{}={}", input.empty() ? "" : ", ", number.name, number.value.decimal);
  add_note(fmt::format("a run went beyond its arrays{}{}, and with{} it does not", input.empty() ? "" : " at ", input,
                       sizes));
}

std::optional<Task> Collector::confirmation() {
  try {
    confirmation_.emplace(target_, settings_, report_.findings, deaths_);
  } catch (const UserError& problem) {
    unreadable(problem.what());
    report_.findings.clear();
    report_.outcome = outcome();
    return std::nullopt;
  }
  confirming_since_ = std::chrono::steady_clock::now();
  return confirmation_->empty() ? std::nullopt : std::optional(confirmation_->task());
}

void Collector::take_confirmation(const Message& message) {
  if (std::holds_alternative<JobEnd>(message))
    end_confirmation();
  else
    confirmation_->take(message);
}

void Collector::end_confirmation() {
  report_.total_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - confirming_since_).count();
  const std::vector<size_t> refuted = confirmation_->refuted();
  for (auto place = refuted.rbegin(); place != refuted.rend(); ++place) {
    const auto finding = report_.findings.begin() + long(*place);
    if (context_.listener.on_drop && context_.corpus.keeps(*finding))
      context_.listener.on_drop(CorpusSession::file_of(report_, *finding));
    report_.findings.erase(finding);
  }
  unknown_ += refuted.size();
  if (!refuted.empty())
    add_note(fmt::format("{} finding{} left out: a fresh worker did not confirm {}", refuted.size(),
                         refuted.size() == 1 ? " was" : "s were", refuted.size() == 1 ? "it" : "them"));
  else if (const size_t left = confirmation_->left_over(); left > 0 && !is_stopped()) {
    report_.cut = true;
    add_note(fmt::format("time was up before a fresh worker had confirmed {} of {} findings", left,
                         report_.findings.size()));
  }
  report_.outcome = outcome();
}

std::optional<Task> Collector::comparison() {
  BuiltCodeTask task;
  for (const size_t place : order_by_input(report_.findings)) {
    const Finding& finding = report_.findings[place];
    if (!finding.counts() || tier_of(finding) == Tier::note)
      continue;
    compared_.push_back(place);
    task.findings.push_back({checked_input(target_, finding.values), finding});
  }
  if (compared_.empty())
    return std::nullopt;
  const bool has_descriptors =
      std::ranges::find(target_.parameters, Passing::descriptor, &Parameter::passing) != target_.parameters.end();
  if (target_.harness.empty() && !has_descriptors)
    return task;
  not_compared_ = has_descriptors ? "it takes array descriptors" : "it is called through a harness";
  return std::nullopt;
}

void Collector::take_built(const Message& message) {
  if (const auto* answer = std::get_if<BuiltAnswer>(&message); answer && next_compared_ < compared_.size())
    report_.findings[compared_[next_compared_++]].built = answer->differs;
  else if (const auto* failure = std::get_if<Failure>(&message))
    not_compared_ = base::first_line(failure->what);
  else if (std::holds_alternative<WorkerDeath>(message))
    next_compared_ = 0; // another worker begins anew, without the call that killed this one
  else if (std::holds_alternative<JobEnd>(message) && next_compared_ < compared_.size() && not_compared_.empty())
    not_compared_ = "its worker did not finish";
}

void Collector::add_note(const std::string& words) { report_.note += (report_.note.empty() ? "" : "; ") + words; }

bool Collector::is_stopped() const { return context_.stop && *context_.stop; }

TargetOutcome Collector::outcome() const {
  if (!done_ && is_stopped())
    return TargetOutcome::interrupted;
  if (report_.counted() > 0)
    return outcome_found(report_);
  if (unknown_ > 0)
    return TargetOutcome::unknown;
  if (!done_)
    return timed_out_ ? TargetOutcome::timed_out : TargetOutcome::interrupted;
  return lacks_evidence() ? TargetOutcome::unknown : TargetOutcome::none;
}

// True if errors were searched, and no everyday result was judged.
bool Collector::lacks_evidence() const {
  return settings_.wanted.error && settings_.oracle != OracleName::none && report_.judged == 0;
}

JobChain::JobChain(HuntContext& context, ChainPlan plan, OnEnd on_end)
    : context_(context), plan_(std::move(plan)), on_end_(std::move(on_end)),
      collector_(context, *plan_.target, plan_.settings, plan_.measured) {}

Assignment JobChain::job(Task task, double seconds, void (JobChain::*take)(const Message&)) {
  const std::shared_ptr<JobChain> self = shared_from_this();
  return {.job = job_for(*plan_.target, plan_.settings, context_.options, std::move(task)),
          .target = plan_.target,
          .on_message =
              [self, take](const Message& message) {
                self->note_kill(message);
                ((*self).*take)(message);
              },
          .seconds = seconds};
}

Assignment JobChain::search() {
  begin_ = Clock::now();
  Assignment search = job(plan_.task, seconds_to_search(plan_.settings.budget_seconds), &JobChain::take_search);
  search.job.limits.oracle_operations /= plan_.oracle_part;
  search.reference = plan_.reference;
  search.on_unreadable = [self = shared_from_this()](const std::string& why) { self->collector_.unreadable(why); };
  search.on_lines = [self = shared_from_this()](exec::Lines lines) { self->collector_.know(std::move(lines)); };
  search.then = [self = shared_from_this()](double spent) { return self->probe(spent); };
  return search;
}

// Returns the job that checks whether larger arrays prevent the overruns.
std::optional<Assignment> JobChain::probe(double spent) {
  std::optional<Task> task = is_stopped() ? std::nullopt : collector_.overruns();
  if (!task)
    return confirm(spent);
  Assignment probe = job(std::move(*task), seconds_to_probe(plan_.settings), &JobChain::take_probe);
  probe.then = [self = shared_from_this(), spent](double more) { return self->confirm(spent + more); };
  return probe;
}

std::optional<Assignment> JobChain::confirm(double spent) {
  std::optional<Task> task = is_stopped() ? std::nullopt : collector_.confirmation();
  if (!task)
    return prove(spent);
  Assignment confirmation =
      job(std::move(*task), seconds_for_the_rest(plan_.settings.budget_seconds, spent), &JobChain::take_confirmation);
  confirmation.reference = plan_.reference;
  confirmation.then = [self = shared_from_this(), spent](double more) { return self->compare(spent + more); };
  return confirmation;
}

std::optional<Assignment> JobChain::compare(double spent) {
  std::optional<Task> task = plan_.built && !is_stopped() ? collector_.comparison() : std::nullopt;
  if (!task)
    return prove(spent);
  Assignment comparison =
      job(std::move(*task), seconds_for_the_rest(plan_.settings.budget_seconds, spent), &JobChain::take_built);
  comparison.reference = plan_.reference;
  comparison.then = [self = shared_from_this(), spent](double more) { return self->prove(spent + more); };
  return comparison;
}

// Returns the proof job. Findings of a short search are proved later, with their diagnosis.
std::optional<Assignment> JobChain::prove(double spent) {
  TargetReport& report = collector_.report();
  const bool may_be_proved =
      plan_.proves && !is_stopped() && !collector_.error() && !(plan_.task.briefly && !report.findings.empty());
  std::optional<Task> task = may_be_proved ? proof_task(report, *plan_.target, plan_.settings) : std::nullopt;
  if (!task)
    return end();
  proving_since_ = Clock::now();
  Assignment proof =
      job(std::move(*task), seconds_for_the_rest(plan_.settings.budget_seconds, spent), &JobChain::take_proof);
  proof.then = [self = shared_from_this()](double) { return self->end(); };
  return proof;
}

std::optional<Assignment> JobChain::end() {
  seconds_ = std::chrono::duration<double>(Clock::now() - begin_).count();
  if (on_end_ && !is_stopped())
    on_end_(*this);
  return std::nullopt;
}

void JobChain::take_search(const Message& message) {
  if (const auto* progress = std::get_if<SearchProgress>(&message))
    reached_ = progress->reached;
  collector_.take(message);
}

// A proof and a larger error that was seen cannot both be right: one of them is a defect of Faultline.
void withdraw_contradicted(model::Proof& proof, const std::optional<model::Largest>& largest) {
  if (!proof.proved || !largest || largest->error.ulps <= 1) // within an ulp: may be a result below the normal numbers
    return;
  const double seen = proof.measure == model::ErrorMeasure::absolute ? largest->error.absolute
                      : proof.measure == model::ErrorMeasure::ulps   ? largest->error.ulps
                                                                     : largest->error.relative;
  if (seen <= proof.bound)
    return;
  proof.proved = false;
  proof.reason = fmt::format("an error of {:.3g} was found where {:.3g} was to be the largest; please report this",
                             seen, proof.bound);
  proof.bound = std::numeric_limits<double>::infinity();
}

void JobChain::take_proof(const Message& message) {
  TargetReport& report = collector_.report();
  if (std::holds_alternative<JobEnd>(message))
    report.total_seconds += std::chrono::duration<double>(Clock::now() - proving_since_).count();
  const auto* proof = std::get_if<ProofMessage>(&message);
  if (!proof)
    return;
  report.proof = proof->proof;
  withdraw_contradicted(*report.proof, report.largest);
  report.cut = report.cut || proof->proof.cut;
  tell_when(report);
  if (report.proof->proved && report.outcome == TargetOutcome::none)
    report.outcome = TargetOutcome::proved;
}

void JobChain::note_kill(const Message& message) {
  const auto* death = std::get_if<WorkerDeath>(&message);
  if (!death || death->hung || !is_of_others(death->signal))
    return;
  killed_ = "outside of a call";
  for (const numeric::Value value : death->input)
    killed_ += fmt::format(" {:a}", value);
}

} // namespace faultline::hunt
