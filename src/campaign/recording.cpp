#include "campaign/recording.h"

#include "base/error.h"
#include "base/files.h"
#include "model/collection.h"
#include "model/json/finding_json.h"
#include "model/problem.h"
#include "program/content_hash.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <system_error>
#include <tuple>
#include <utility>

namespace faultline::campaign {

using namespace model;

namespace fs = std::filesystem;

namespace {

void check(const std::error_code& error, const fs::path& folder) {
  if (error)
    throw base::UserError(base::status_usage, fmt::format("{}: {}", folder.string(), error.message()),
                          "make room on the disk, or check the folder's mode");
}

fs::path folder_for_programs(const std::string& folder) {
  const fs::path programs = fs::path(folder) / "programs";
  std::error_code error;
  fs::create_directories(programs, error);
  check(error, programs);
  return programs;
}

fs::path unnamed_in(const fs::path& programs) { return programs / "unnamed"; } // the program while it is being written

// Copies to a new file. A link of its name is removed, not followed.
void copy_anew(const fs::path& from, const fs::path& to, std::error_code& error) {
  std::error_code ignored;
  fs::remove(to, ignored);
  fs::copy_file(from, to, error); // fails if there is a file again
}

bool is_program(const fs::path& file) {
  constexpr size_t digits = 64;
  const std::string stem = file.stem().string();
  return file == unnamed_in(file.parent_path()) || (file.extension() == ".bc" && stem.size() == digits &&
                                                    stem.find_first_not_of("0123456789abcdef") == stem.npos);
}

// Gives the program its name and removes all others.
void name(const fs::path& programs, const std::string& hash) {
  const fs::path kept = programs / (hash + ".bc");
  std::error_code error;
  fs::rename(unnamed_in(programs), kept, error);
  check(error, programs);
  for (fs::directory_iterator entry(programs, error), end; !error && entry != end; entry.increment(error))
    if (std::error_code ignored; entry->path() != kept && is_program(entry->path()))
      fs::remove(entry->path(), ignored);
}

} // namespace

std::string program_in(const std::string& folder, const std::string& hash) {
  return fmt::format("{}/programs/{}.bc", folder, hash);
}

std::string store_program(program::Program& program, const program::Sources& sources, const std::string& folder) {
  const fs::path programs = folder_for_programs(folder), unnamed = unnamed_in(programs);
  std::error_code error;
  if (sources.files.size() == 1 && fs::path(sources.files.front()).extension() == ".bc") {
    copy_anew(sources.files.front(), unnamed, error);
  } else {
    try {
      base::replace_file(unnamed.string(), program.bitcode());
    } catch (const std::system_error& failure) {
      error = failure.code();
    }
  }
  check(error, programs);
  std::string hash = program::content_hash(unnamed);
  name(programs, hash);
  return hash;
}

void copy_program(const std::string& hash, const std::string& campaign, const std::string& folder) {
  const fs::path programs = folder_for_programs(folder);
  std::error_code error;
  if (fs::exists(program_in(folder, hash), error))
    return;
  copy_anew(program_in(campaign, hash), unnamed_in(programs), error);
  check(error, programs);
  name(programs, hash);
}

namespace {

using Place = std::pair<std::string, int64_t>; // file and line

// Returns the places that several functions reach, and those of findings that joined a problem earlier, which may be
// gone.
std::vector<Place> shared_places(Database& database) {
  std::vector<Place> places;
  Rows rows = database.ask("SELECT DISTINCT file, line FROM findings v WHERE vague AND until_run IS NULL AND "
                           "(class NOT IN ('inaccuracy', 'bound-violated') OR EXISTS "
                           "(SELECT 1 FROM findings f WHERE f.until_run IS NULL AND f.file = v.file AND "
                           "f.line = v.line AND f.target <> v.target))");
  while (rows.next())
    places.emplace_back(rows.text(0), rows.whole(1));
  return places;
}

// A report of all findings at a place.
class PlaceReport {
public:
  PlaceReport(Database& database, const Place& place) {
    Rows rows = database.ask("SELECT f.id, f.json, t.id, t.head FROM findings f JOIN targets t ON t.id = f.target "
                             "WHERE f.until_run IS NULL AND f.file = ? AND f.line = ? ORDER BY t.id, f.id",
                             place.first, place.second);
    std::vector<std::vector<int64_t>> ids;
    int64_t last = 0;
    while (rows.next()) {
      if (rows.whole(2) != last) {
        last = rows.whole(2);
        report_.targets.push_back(
            model::parse_target(rows.text(3), fmt::format("{}, target {}", database.file(), last)));
        ids.emplace_back();
      }
      ids.back().push_back(rows.whole(0));
      report_.targets.back().findings.push_back(
          model::parse_finding(rows.text(1), fmt::format("{}, finding {}", database.file(), rows.whole(0))));
    }
    for (size_t t = 0; t < ids.size(); ++t)
      for (size_t f = 0; f < ids[t].size(); ++f)
        rows_[&report_.targets[t].findings[f]] = ids[t][f];
  }

  void store_problems(Database& database) const {
    for (const Problem& problem : problems_of(report_))
      for (const Evidence& evidence : problem.findings)
        database.run("UPDATE findings SET problem = ?1, class = ?2 WHERE id = ?3 AND problem <> ?1", problem.id,
                     problem.fault, rows_.at(evidence.finding));
  }

private:
  Report report_;
  std::map<const Finding*, int64_t> rows_;
};

} // namespace

void join_shared_places(Database& database) {
  const std::vector<Place> places = shared_places(database);
  if (places.empty())
    return;
  Transaction transaction(database);
  for (const Place& place : places)
    PlaceReport(database, place).store_problems(database);
  transaction.commit();
}

namespace {

constexpr uint64_t fairness_interval = 5;  // a guess: a fifth of the jobs guarantees that every function gets some
constexpr uint64_t diagnosis_interval = 3; // a guess: a third of the jobs diagnoses known findings
// A guess: a function that keeps bringing something new is diagnosed after this many rounds.
constexpr uint64_t most_short_rounds = 4;
constexpr double fading = 0.6; // a guess: news of three rounds ago count a fifth
// The expected yield of a function before its first job: `hope` news in `hope_seconds`. It lets functions that had a
// single look compete with those that were lucky once.
constexpr double hope = 0.2, hope_seconds = 1;

double rate(const TargetRow& row) { return (row.news + hope) / (row.news_seconds + hope_seconds); }

// The order of functions whose next job does not depend on their yield.
int order_of(const TargetRow& row) {
  if (row.state == TargetState::known)
    return 0;
  return row.rounds == 0 ? 1 : 2;
}

} // namespace

double weight_of(const News& news) {
  // Guesses, in units of problems that count: a note is worth a quarter of one.
  constexpr double note = 0.25, larger = 0.25, all_sites = 1;
  return double(news.problems) + note * double(news.notes) + (news.larger_error ? larger : 0) +
         all_sites * news.new_sites;
}

void add_news(TargetRow& row, double weight, double seconds) {
  row.news = fading * row.news + weight;
  row.news_seconds = fading * row.news_seconds + seconds;
  row.seconds += seconds;
  row.quiet = weight > 0 ? 0 : row.quiet + 1;
}

int64_t next_job_of(const TargetRow& row, std::optional<uint64_t> evaluations) {
  if (row.state == TargetState::known)
    return known_inputs_round;
  const bool has_had_all = evaluations && row.granted >= *evaluations;
  if (row.state == TargetState::undiagnosed && (row.quiet > 0 || row.rounds >= most_short_rounds || has_had_all))
    return diagnosis_round;
  return int64_t(row.rounds);
}

bool is_short(const TargetRow& row, int64_t round) {
  return round == first_look_round || (round > first_look_round && row.state == TargetState::undiagnosed);
}

std::optional<size_t> choose(const std::vector<Candidate>& candidates, uint64_t turn) {
  const bool neglected = turn % fairness_interval == 0, diagnosing = turn % diagnosis_interval == 0;
  std::optional<size_t> best;
  auto best_key = std::tuple(3, true, std::numeric_limits<double>::infinity());
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].busy)
      continue;
    const TargetRow& row = *candidates[i].row;
    const int order = order_of(row);
    const bool waits = order == 2 && !neglected && diagnosing != (candidates[i].next_job == diagnosis_round);
    const auto key = std::tuple(order, waits, order < 2 ? 0.0 : neglected ? row.seconds : -rate(row));
    if (key < best_key) {
      best = i;
      best_key = key;
    }
  }
  return best;
}

namespace {

// The problems of a function's findings.
class Problems {
public:
  Problems(TargetReport head, const std::vector<Finding>& findings) {
    const bool shows_all = head.shows_all;
    head.findings = findings;
    head.shows_all = true; // folded findings are stored, too
    report_.targets.push_back(std::move(head));
    problems_ = problems_of(report_);
    for (const Problem& problem : problems_)
      for (const Evidence& evidence : problem.findings)
        keys_[evidence.finding->id] = {problem.id, problem.fault, problem.file, problem.line,
                                       !shows_all && is_folded(*evidence.finding)};
  }
  const std::vector<Problem>& all() const { return problems_; }
  const ProblemKey& of(const Finding& finding) const { return keys_.at(finding.id); }

private:
  Report report_;
  std::vector<Problem> problems_; // point into the report
  std::map<std::string, ProblemKey> keys_;
};

bool is_more_than_a_note(const Problem& problem) {
  return std::ranges::any_of(problem.findings,
                             [](const Evidence& each) { return tier_of(*each.finding) != Tier::note; });
}

class Recorder {
public:
  Recorder(Database& database, TargetRow& row, const JobRow& job, const TargetReport& found, int64_t run)
      : database_(database), row_(row), job_(job), found_(found), run_(run), before_(findings_of(database, row.id)) {}

  RoundResult run(const std::set<std::string>& again, uint64_t reached) {
    Transaction transaction(database_);
    RoundResult recorded;
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
                    .outcome = std::string(model::text(found_.outcome)),
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

  // Returns the findings with their diagnosis, in place of those of the first look.
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

  // Counts that one more job has seen the problem, once per job.
  void note(const Problem& problem, std::set<std::string>& seen) {
    if (job_.round != diagnosis_round && seen.insert(problem.id).second) // a diagnosis repeats inputs of the first look
      note_incidence(database_, problem.id, row_.id, std::string(model::text(problem.tier)));
  }

  // Counts what is new for this function, and also what is new for all functions.
  News news(const std::set<std::string>& again, uint64_t reached) {
    std::set<std::string> known;
    const std::vector<Finding> findings = findings_before();
    const Problems before(found_, findings), now(found_, found_.findings);
    std::set<std::string> seen; // known problems
    for (const Problem& problem : before.all()) {
      known.insert(problem.id);
      if (std::ranges::any_of(problem.findings,
                              [&](const Evidence& evidence) { return again.contains(evidence.finding->fingerprint); }))
        note(problem, seen);
    }
    News news;
    for (const Problem& problem : now.all()) {
      // Suppression comments affect only reports. Rounds depend neither on them nor on whether a task can read the
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
      row_.seconds += found_.total_seconds; // not part of the yield of searches
    else
      add_news(row_, weight, found_.total_seconds);
    row_.reached = std::max(row_.reached, reached);
    keep_larger(row_.largest_everyday, found_.largest_everyday);
    keep_larger(row_.largest, found_.largest);
    row_.state = found_.outcome == TargetOutcome::refused     ? TargetState::refused
                 : is_short(row_, job_.round) && !now.empty() ? TargetState::undiagnosed
                                                              : TargetState::open;
    if (job_.round >= 0) {
      row_.rounds = uint64_t(job_.round) + 1;
      row_.granted += job_.evaluations;
    }
    TargetEnd end{found_.outcome, found_.note, found_.evaluations, found_.sites};
    TargetReport all = found_;
    all.findings = now;
    if (all.counted() > 0)
      end.outcome = outcome_found(all);
    store_progress(database_, row_, end, found_.total_seconds);
    store_proof(database_, row_.id, found_);
  }

  Database& database_;
  TargetRow& row_;
  const JobRow job_;
  const TargetReport& found_;
  int64_t run_;
  std::vector<StoredFinding> before_;
  uint64_t new_to_library_ = 0;
};

} // namespace

std::vector<Finding> merged(std::vector<Finding> before, const std::vector<Finding>& found) {
  Collection collection;
  for (Finding& finding : before)
    collection.add(std::move(finding));
  for (const Finding& finding : found)
    collection.add(finding);
  std::vector<Finding> all;
  for (Collection::Entry& entry : collection.entries()) {
    if (!entry.representative) {
      all.push_back(std::move(entry.largest));
    } else if (is_much_larger(entry.largest, *entry.representative)) {
      all.push_back(std::move(entry.largest));
      all.push_back(std::move(*entry.representative));
    } else {
      merge_into(*entry.representative, std::move(entry.largest));
      all.push_back(std::move(*entry.representative));
    }
  }
  sort_findings(all);
  return all;
}

uint64_t merge_findings(Database& database, const TargetRow& row, const TargetReport& found, int64_t run) {
  TargetRow copy = row;
  return Recorder(database, copy, {}, found, run).merge();
}

RoundResult record(Database& database, TargetRow& row, const JobRow& job, const JobResult& result, int64_t run) {
  return Recorder(database, row, job, result.found, run).run(result.again, result.reached);
}

} // namespace faultline::campaign
