#include "campaign/rounds.h"

#include "hunt/hunt.h"
#include "judge/judge.h"
#include "judge/space_of_target.h"
#include "model/collection.h"

#include <algorithm>

namespace faultline::campaign {

using model::Kind;

namespace {

std::vector<model::Retry> inputs_of(std::vector<StoredFinding> findings, const model::Target& target,
                                    const model::Settings& settings) {
  model::TargetReport report;
  report.function = target.function;
  report.file = target.file;
  model::Corpus corpus;
  for (StoredFinding& stored : findings)
    corpus.kept.push_back({stored.finding.id, report, std::move(stored.finding)});
  return hunt::CorpusSession(std::make_shared<const model::Corpus>(std::move(corpus))).retries(target, settings);
}

// Divides the limit of the oracle in a first look. It keeps first looks short for any function, so that all get theirs.
constexpr uint64_t first_look_oracle_part = 50;

} // namespace

std::vector<model::Retry> known_inputs(Database& database, int64_t row, const model::Target& target,
                                       const model::Settings& settings) {
  return inputs_of(findings_of(database, row), target, settings);
}

std::vector<model::Retry> inputs_to_diagnose(Database& database, int64_t row, const model::Target& target,
                                             const model::Settings& settings) {
  std::vector<StoredFinding> findings = findings_of(database, row);
  std::erase_if(findings, [](const StoredFinding& stored) {
    return stored.finding.kind == Kind::crash || stored.finding.kind == Kind::timeout;
  });
  return inputs_of(std::move(findings), target, settings);
}

std::vector<model::KnownCause> known_causes_of(Database& database, int64_t row) {
  std::vector<model::Finding> findings;
  for (StoredFinding& stored : findings_of(database, row))
    findings.push_back(std::move(stored.finding));
  return known_causes(findings);
}

CampaignTargets::CampaignTargets(hunt::HuntTargets of, std::vector<TargetRow> known,
                                 std::vector<std::vector<model::Retry>> inputs)
    : selected(std::move(of)), rows(std::move(known)), first_inputs(std::move(inputs)) {
  for (size_t i = 0; i < rows.size(); ++i)
    has_outputs.push_back(!judge::judged_outputs(selected.targets[i], selected.settings[i]).empty());
}

bool CampaignTargets::has_had_all(size_t i, std::optional<uint64_t> evaluations) const {
  if (rows[i].state == TargetState::refused || !has_outputs[i])
    return true;
  return rows[i].state == TargetState::open && evaluations && rows[i].granted >= *evaluations;
}

Rounds::Rounds(const RoundsOf& of, CampaignTargets& targets, OnRecorded on_recorded)
    : of_(of), targets_(targets), on_recorded_(std::move(on_recorded)),
      context_{of.options, quiet_, model::SetAside(nullptr, project_of(of.options)), hunt::CorpusSession(nullptr), {}},
      busy_(targets.rows.size()), left_over_(open_jobs(of.database)),
      turn_(uint64_t(of.database.whole("SELECT max(id) FROM jobs"))) {
  const hunt::HuntTargets& selected = targets_.selected;
  for (size_t i = 0; i < selected.targets.size(); ++i)
    references_.push_back(judge::load_reference(selected.settings[i], of_.options.sources.flags, selected.targets[i]));
}

void Rounds::run(const std::atomic<bool>& halt, const std::function<bool()>& may_begin,
                 const std::function<void()>& on_idle) {
  context_.stop = &halt;
  const auto choose_next = [&] { return halt || !may_begin() ? std::nullopt : next(); };
  hunt::run(choose_next, targets_.selected.program, of_.options.jobs, of_.options.worker, halt, on_idle);
}

std::optional<hunt::Assignment> Rounds::next() {
  std::vector<Candidate> candidates;
  for (size_t i = 0; i < targets_.rows.size(); ++i)
    candidates.push_back({&targets_.rows[i], busy_[i] || targets_.has_had_all(i, of_.evaluations),
                          next_job_of(targets_.rows[i], of_.evaluations)});
  const std::optional<size_t> chosen = choose(candidates, turn_);
  if (!chosen)
    return std::nullopt;
  ++turn_;
  busy_[*chosen] = true;
  return begin(*chosen);
}

// Returns the next job. An unfinished one equals the one that would be made.
JobRow Rounds::row_of_next(const TargetRow& row, const model::Settings& settings) {
  const int64_t next = next_job_of(row, of_.evaluations);
  if (const auto left = left_over_.find(row.id); left != left_over_.end()) {
    JobRow job = left->second;
    left_over_.erase(left);
    if (job.round == next)
      return job; // no other task has carried it out in the meantime
  }
  if (next < first_look_round)
    return {0, row.id, row.program, next, "auto", of_.seed, 1};
  Round round = next_round({row.symbol, of_.seed, row.rounds, past_rounds(of_.database, row.id, row.program)},
                           arms_for(settings));
  if (of_.evaluations)
    round.evaluations = std::min(round.evaluations, *of_.evaluations - row.granted);
  return {0, row.id, row.program, round.number, round.arm, round.seed, round.evaluations};
}

hunt::Assignment Rounds::begin(size_t i) {
  const TargetRow& row = targets_.rows[i];
  const model::Settings& settings = targets_.selected.settings[i];
  const JobRow job = begin_job(of_.database, row_of_next(row, settings), of_.run);
  hunt::ChainPlan plan{.target = &targets_.selected.targets[i],
                       .settings = settings_of({job.round, job.arm, job.seed, job.evaluations}, settings),
                       .measured = targets_.selected.measured[i],
                       .task = {},
                       .reference = references_[i] ? &*references_[i] : nullptr,
                       .oracle_part = job.round == first_look_round ? first_look_oracle_part : 1,
                       .proves = job.round == first_look_round || job.round == diagnosis_round,
                       .built = !targets_.selected.program.machine_code().empty()};
  plan.task.briefly = is_short(row, job.round);
  // With counted evaluations, the findings must not depend on the clock.
  if (!of_.evaluations)
    plan.settings.budget_seconds = seconds_of(job.round, job.evaluations, plan.settings.budget_seconds);
  plan.task.operations = job.round == first_look_round ? operations_of_first_look : operations_of_job;
  if (job.round == known_inputs_round)
    plan.task.retries = known_inputs(of_.database, row.id, *plan.target, settings);
  else if (job.round == diagnosis_round)
    plan.task.retries = inputs_to_diagnose(of_.database, row.id, *plan.target, settings);
  else
    plan.task.known = known_causes_of(of_.database, row.id);
  if (job.round == first_look_round)
    std::ranges::copy(targets_.first_inputs[i], std::back_inserter(plan.task.retries));
  const auto chain = std::make_shared<hunt::JobChain>(context_, std::move(plan),
                                                      [this, i, job](hunt::JobChain& done) { end(i, job, done); });
  of_.database.keep_from_forks();
  return chain->search();
}

void Rounds::end(size_t i, const JobRow& job, hunt::JobChain& chain) {
  busy_[i] = false;
  TargetRow& row = targets_.rows[i];
  if (!chain.killed().empty() && chain.killed() != job.killed) {
    begin_again(of_.database, job, chain.killed());
    left_over_[row.id] = job;
    left_over_[row.id].killed = chain.killed();
    return of_.database.keep_from_forks();
  }
  model::TargetReport& found = chain.collector().report();
  if (const std::optional<base::UserError>& error = chain.collector().error())
    hunt::take_refusal(*error, found);
  found.total_seconds = chain.seconds();
  model::leave_few(found.findings);
  std::set<std::string> again;
  for (const auto& [fingerprint, finding] : chain.collector().again())
    again.insert(fingerprint);
  const RoundResult recorded = record(of_.database, row, job, {found, again, chain.reached()}, of_.run);
  on_recorded_(i, {job, chain, found}, recorded);
  of_.database.keep_from_forks();
}

} // namespace faultline::campaign
