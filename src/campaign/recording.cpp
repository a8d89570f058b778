#include "campaign/recording.h"

#include "campaign/store/finding_table.h"
#include "finding/collection.h"
#include "finding/problem.h"

#include <algorithm>
#include <map>
#include <set>

namespace faultline::campaign {

using finding::Finding;
using finding::Tier;

namespace {

using finding::keep_larger;

// The problems that a function's findings come to.
class Problems {
public:
  Problems(finding::TargetReport head, const std::vector<Finding>& findings) {
    const bool shows_all = head.shows_all;
    head.findings = findings;
    head.shows_all = true; // what is folded is stored as well
    report_.targets.push_back(std::move(head));
    problems_ = problems_of(report_);
    for (const finding::Problem& problem : problems_)
      for (const finding::Evidence& evidence : problem.findings)
        keys_[evidence.finding->id] = {problem.id, problem.fault, problem.file, problem.line,
                                       !shows_all && is_folded(*evidence.finding)};
  }
  const std::vector<finding::Problem>& all() const { return problems_; }
  const ProblemKey& of(const Finding& finding) const { return keys_.at(finding.id); }

private:
  finding::Report report_;
  std::vector<finding::Problem> problems_; // they point into the report
  std::map<std::string, ProblemKey> keys_;
};

bool is_more_than_a_note(const finding::Problem& problem) {
  return std::ranges::any_of(problem.findings,
                             [](const finding::Evidence& each) { return tier_of(*each.finding) != Tier::note; });
}

class Recorder {
public:
  Recorder(Database& database, TargetRow& row, const JobRow& job, const finding::TargetReport& found, int64_t run)
      : database_(database), row_(row), job_(job), found_(found), run_(run), before_(findings_of(database, row.id)) {}

  Recorded run(const std::set<std::string>& again, uint64_t reached) {
    Transaction transaction(database_);
    Recorded recorded;
    recorded.round = job_.round;
    const bool known_inputs = job_.round == known_inputs_round;
    if (known_inputs)
      recorded.again = compare();
    const News news = this->news(again, reached);
    const std::vector<Finding> now = known_inputs                    ? found_.findings
                                     : job_.round == diagnosis_round ? diagnosed()
                                                                     : merged(findings_before(), found_.findings);
    replace(now);
    const double weight = weight_of(news);
    recorded.end = {.seconds = found_.total_seconds,
                    .made = found_.evaluations,
                    .outcome = std::string(finding::text(found_.outcome)),
                    .cut = found_.cut,
                    .news = weight,
                    .new_problems = new_to_library_};
    end_job(database_, job_, recorded.end);
    bring_up_to_date(now, weight, reached);
    if (job_.round > 0 && job_.round % most_rounds_kept == 0)
      thin_out(database_, row_.id);
    transaction.commit();
    return recorded;
  }

  uint64_t merge() {
    std::set<std::string> known;
    for (const StoredFinding& stored : before_)
      known.insert(stored.finding.id);
    const std::vector<Finding> now = merged(findings_before(), found_.findings);
    const auto fresh =
        uint64_t(std::ranges::count_if(now, [&](const Finding& finding) { return !known.contains(finding.id); }));
    if (fresh == 0)
      return 0;
    replace(now);
    database_.run("UPDATE targets SET state = 'known' WHERE id = ?", row_.id);
    return fresh;
  }

private:
  std::vector<Finding> findings_before() const {
    std::vector<Finding> findings;
    for (const StoredFinding& stored : before_)
      findings.push_back(stored.finding);
    return findings;
  }

  // In place of what the first look told of the same.
  std::vector<Finding> diagnosed() const {
    std::vector<Finding> now = found_.findings;
    std::set<std::string> told;
    for (const Finding& finding : now)
      told.insert(finding.fingerprint);
    for (const StoredFinding& stored : before_)
      if (!told.contains(stored.finding.fingerprint))
        now.push_back(stored.finding);
    return now;
  }

  KnownAgain compare() const {
    constexpr double much = 2; // as is_much_larger
    std::map<std::string, double> seen, had;
    const auto add = [](std::map<std::string, double>& to, const Finding& finding) {
      double& largest = to[finding.fingerprint];
      largest = std::max(largest, finding.error ? finding.error->relative : 0);
    };
    for (const Finding& finding : found_.findings)
      add(seen, finding);
    for (const StoredFinding& stored : before_)
      add(had, stored.finding);
    KnownAgain again;
    for (const auto& [fingerprint, error] : had) {
      const auto now = seen.find(fingerprint);
      ++(now == seen.end() ? again.fixed : now->second > much * error ? again.worse : again.still);
    }
    return again;
  }

  // One more job has seen it: once, whatever it saw of it.
  void note(const finding::Problem& problem, std::set<std::string>& seen) {
    if (job_.round != diagnosis_round && seen.insert(problem.id).second) // it goes where the first look has been
      note_incidence(database_, problem.id, row_.id, std::string(finding::text(problem.tier)));
  }

  // What the function's own history did not have; and, beside that, what no function had.
  News news(const std::set<std::string>& again, uint64_t reached) {
    std::set<std::string> known;
    const std::vector<Finding> findings = findings_before();
    const Problems before(found_, findings), now(found_, found_.findings);
    std::set<std::string> seen; // problems that were known
    for (const finding::Problem& problem : before.all()) {
      known.insert(problem.id);
      if (std::ranges::any_of(problem.findings, [&](const finding::Evidence& evidence) {
            return again.contains(evidence.finding->fingerprint);
          }))
        note(problem, seen);
    }
    News news;
    for (const finding::Problem& problem : now.all()) {
      // Comments that suppress are for readers: rounds do not depend on them, nor on whether a task can read the
      // source.
      if (known.insert(problem.id).second)
        ++(is_more_than_a_note(problem) ? news.problems : news.notes);
      if (problem.tier != Tier::note && !problem.set_aside && !is_problem_known(database_, problem.id))
        ++new_to_library_;
      note(problem, seen);
    }
    const double everyday = found_.largest_everyday ? std::min(found_.largest_everyday->error.relative, 1.0) : 0;
    news.larger_error = row_.rounds > 0 && everyday > 2 * row_.everyday_error && everyday > 0x1p-40;
    row_.everyday_error = std::max(row_.everyday_error, everyday);
    if (reached > row_.reached && found_.sites > 0 && row_.rounds > 0)
      news.new_sites = double(reached - row_.reached) / double(found_.sites);
    return news;
  }

  void replace(const std::vector<Finding>& now) {
    const Problems problems(found_, now);
    std::map<std::string, int64_t> rows;
    for (const StoredFinding& stored : before_)
      rows[stored.finding.id] = stored.row;
    std::set<std::string> kept;
    for (const Finding& finding : now)
      if (rows.contains(finding.id) && kept.insert(finding.id).second)
        update_finding(database_, rows[finding.id], finding, problems.of(finding), run_);
    for (const auto& [id, row] : rows)
      if (!kept.contains(id))
        end_finding(database_, row, run_);
    for (const Finding& finding : now)
      if (kept.insert(finding.id).second)
        add_finding(database_, row_.id, finding, problems.of(finding), run_);
  }

  void bring_up_to_date(const std::vector<Finding>& now, double weight, uint64_t reached) {
    if (job_.round == diagnosis_round)
      row_.seconds += found_.total_seconds; // whether a search pays is another question
    else
      add_news(row_, weight, found_.total_seconds);
    row_.reached = std::max(row_.reached, reached);
    keep_larger(row_.largest_everyday, found_.largest_everyday);
    keep_larger(row_.largest, found_.largest);
    row_.state = found_.outcome == finding::TargetOutcome::refused ? TargetState::refused
                 : is_short(row_, job_.round) && !now.empty()      ? TargetState::undiagnosed
                                                                   : TargetState::open;
    if (job_.round >= 0) {
      row_.rounds = uint64_t(job_.round) + 1;
      row_.granted += job_.evaluations;
    }
    TargetEnd end{found_.outcome, found_.note, found_.evaluations, found_.sites};
    finding::TargetReport all = found_;
    all.findings = now;
    if (all.counted() > 0)
      end.outcome = outcome_found(all);
    store_progress(database_, row_, end, found_.total_seconds);
    store_proof(database_, row_.id, found_);
  }

  Database& database_;
  TargetRow& row_;
  const JobRow job_;
  const finding::TargetReport& found_;
  int64_t run_;
  std::vector<StoredFinding> before_;
  uint64_t new_to_library_ = 0;
};

} // namespace

std::vector<Finding> merged(std::vector<Finding> before, const std::vector<Finding>& found) {
  finding::Collection collection;
  for (Finding& finding : before)
    collection.add(std::move(finding));
  for (const Finding& finding : found)
    collection.add(finding);
  std::vector<Finding> all;
  for (finding::Collection::Entry& entry : collection.entries()) {
    if (!entry.speaker) {
      all.push_back(std::move(entry.largest));
    } else if (is_much_larger(entry.largest, *entry.speaker)) {
      all.push_back(std::move(entry.largest));
      all.push_back(std::move(*entry.speaker));
    } else {
      absorb(*entry.speaker, std::move(entry.largest));
      all.push_back(std::move(*entry.speaker));
    }
  }
  sort_findings(all);
  return all;
}

uint64_t merge_findings(Database& database, const TargetRow& row, const finding::TargetReport& found, int64_t run) {
  TargetRow copy = row;
  return Recorder(database, copy, {}, found, run).merge();
}

Recorded record(Database& database, TargetRow& row, const JobRow& job, const JobResult& result, int64_t run) {
  return Recorder(database, row, job, result.found, run).run(result.again, result.reached);
}

} // namespace faultline::campaign
