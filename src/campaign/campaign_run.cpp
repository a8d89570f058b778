#include "campaign/campaign_run.h"

#include "base/error.h"
#include "base/files.h"
#include "campaign/remote/merging.h"
#include "campaign/remote/share_run.h"
#include "campaign/rounds.h"
#include "campaign/store/database.h"
#include "hunt/hunt.h"
#include "hunt/recording.h"
#include "model/json/finding_json.h"
#include "model/set_aside.h"
#include "model/settings/table.h"
#include "numeric/decimal.h"

#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>
#include <sstream>

namespace faultline::campaign {

using model::Settings;
using model::Target;

namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  constexpr size_t most = 4096; // a path or a hash
  const std::string text = base::regular_content(file.string(), most).value_or("");
  return text.substr(0, text.find('\n'));
}

bool is_hash(const std::string& text) {
  return text.size() >= 40 &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string after(const std::string& text, std::string_view mark) {
  return text.starts_with(mark) ? text.substr(mark.size()) : std::string();
}

std::string in_packed(const fs::path& file, const std::string& name) {
  constexpr size_t most = 64u << 20; // of half a million branches
  std::istringstream stream(base::regular_content(file.string(), most).value_or(""));
  for (std::string line; std::getline(stream, line);)
    if (line.ends_with(" " + name))
      return line.substr(0, line.find(' '));
  return {};
}

std::string head_in(const fs::path& git) {
  const std::string head = first_line(git / "HEAD"), name = after(head, "ref: ");
  if (name.empty())
    return head;
  // A worktree has its own HEAD; its branches are in the common folder.
  const std::string shared = first_line(git / "commondir");
  const fs::path common = shared.empty() ? git : git / shared;
  const std::string loose = first_line(common / name);
  return loose.empty() ? in_packed(common / "packed-refs", name) : loose;
}

} // namespace

std::string commit_of(const std::string& folder) {
  std::error_code error;
  for (fs::path at = fs::absolute(folder, error).lexically_normal();; at = at.parent_path()) {
    const fs::path git = at / ".git";
    std::string commit;
    if (fs::is_directory(git, error))
      commit = head_in(git);
    else if (fs::is_regular_file(git, error))
      commit = head_in(at / after(first_line(git), "gitdir: "));
    if (fs::exists(git, error))
      return is_hash(commit) ? commit : std::string();
    if (at == at.parent_path())
      return {};
  }
}

namespace {

void add_cells(model::Hash& hash, const std::vector<model::Cell>& cells) {
  for (const model::Cell& cell : cells) {
    hash.add(cell.name);
    hash.add(cell.type.name());
    hash.add(fmt::format("{} {}", cell.offset, cell.judged));
    for (const int64_t value : cell.values)
      hash.add(std::to_string(value));
  }
  hash.add("");
}

// Hashes the settings of the function, and the debug information of its arguments, which is not part of the code.
std::string settings_hash(const Target& target, const Settings& settings) {
  model::Hash hash;
  for (const std::string& word : words_of(raw_settings_of(settings)))
    hash.add(word);
  add_cells(hash, target.inputs);
  add_cells(hash, target.outputs);
  return hash.text();
}

std::vector<InputNote> notes_on(const model::TargetReport& head, const Settings& settings) {
  std::vector<InputNote> notes;
  for (const model::InputRange& range : head.inputs) {
    InputNote note{range.name, range.low, range.high, "", ""};
    auto everyday = settings.everyday.find(range.name);
    if (everyday == settings.everyday.end())
      everyday = settings.everyday.find(model::parameter_of(range.name));
    if (everyday != settings.everyday.end()) {
      note.everyday_low = numeric::shortest_decimal(everyday->second.low);
      note.everyday_high = numeric::shortest_decimal(everyday->second.high);
    }
    notes.push_back(std::move(note));
  }
  return notes;
}

TargetNow now_of(const Target& target, const Settings& settings, const hunt::MeasuredExtents& measured,
                 const program::ReachHash& hash) {
  TargetNow now;
  now.symbol = target.symbol;
  now.version = {hash.code, hash.places, settings_hash(target, settings)};
  now.head = hunt::blank_report(target, settings);
  now.head.extents = measured.extents;
  now.inputs = notes_on(now.head, settings);
  return now;
}

using Name = std::pair<std::string, std::string>; // function and symbol

class Storing {
public:
  Storing(Database& database, int64_t run) : database_(database), run_(run) {
    for (TargetRow& row : targets_of(database))
      before_.emplace(Name(row.function, row.symbol), std::move(row));
  }

  void meet(const TargetNow& now) {
    const Name name(now.head.function, now.symbol);
    met_.insert(name);
    const auto before = before_.find(name);
    if (before == before_.end()) {
      add_target(database_, now, run_);
      changes_.added.push_back(name.first);
      return;
    }
    const TargetRow& row = before->second;
    const bool same = row.version.code == now.version.code && row.version.settings == now.version.settings;
    const bool was_gone = row.state == TargetState::gone;
    if (same && row.version.places == now.version.places && !was_gone)
      return note_place(database_, row.id, now);
    (same ? changes_.moved : changes_.changed).push_back(name.first);
    if (same && was_gone) // for example after a commit that did not compile
      take_back_findings(database_, row.id, run_);
    const bool has_findings =
        database_.whole("SELECT EXISTS (SELECT 1 FROM findings WHERE target = ? AND until_run IS NULL)", row.id) != 0;
    update_target(database_, row.id, now, run_, has_findings ? TargetState::known : TargetState::open, !same);
  }

  ProgramChanges end() {
    for (const auto& [name, row] : before_)
      if (!met_.contains(name) && row.state != TargetState::gone) {
        mark_gone(database_, row.id, run_);
        changes_.gone.push_back(name.first);
      }
    return std::move(changes_);
  }

private:
  Database& database_;
  int64_t run_;
  std::map<Name, TargetRow> before_;
  std::set<Name> met_;
  ProgramChanges changes_;
};

} // namespace

StoredTargets store_targets(Database& database, hunt::HuntTargets& selected, int64_t run) {
  const std::vector<program::ReachHash> hashes = selected.program.reach_hashes(selected.targets);
  Transaction transaction(database);
  Storing storing(database, run);
  for (size_t i = 0; i < selected.targets.size(); ++i)
    storing.meet(now_of(selected.targets[i], selected.settings[i], selected.measured[i], hashes[i]));
  StoredTargets stored;
  stored.changes = storing.end();
  transaction.commit();
  std::map<Name, TargetRow> rows;
  for (TargetRow& row : targets_of(database))
    rows.emplace(Name(row.function, row.symbol), std::move(row));
  for (const Target& target : selected.targets)
    stored.rows.push_back(rows.at(Name(target.function, target.symbol)));
  return stored;
}

RunTally::RunTally(Database& database, int64_t run, const std::vector<TargetRow>& rows, const RunClock& clock)
    : database_(database), run_(run), clock_(clock), last_news_(clock.seconds()) {
  Rows sums = database.ask("SELECT sum(seconds), sum(evaluations) FROM targets");
  if (sums.next())
    total_ = {sums.number(0), uint64_t(database.whole("SELECT count(*) FROM jobs WHERE state = 'done'")),
              uint64_t(sums.whole(1)), 0, 0};
  RunProgress& progress = result_.progress;
  progress.functions = rows.size();
  progress.problems = count_problems(database);
  progress.looked_at = uint64_t(std::ranges::count_if(rows, [](const TargetRow& row) { return row.rounds > 0; }));
}

void RunTally::add(const RoundResult& recorded, bool first_look) {
  ++result_.progress.jobs;
  result_.progress.looked_at += first_look;
  result_.progress.evaluations += recorded.end.made;
  result_.cut += recorded.end.cut;
  result_.again.still += recorded.again.still;
  result_.again.worse += recorded.again.worse;
  result_.again.fixed += recorded.again.fixed;
  total_.seconds += recorded.end.seconds;
  total_.jobs += 1;
  total_.evaluations += recorded.end.made;
  if (recorded.end.new_problems > 0)
    last_news_ = clock_.seconds();
  // Notes a point for each hundredth more time, which gives a few hundred points in any campaign. Counting reads all
  // findings: in large campaigns it waits until it takes a small part of the time.
  constexpr double part = 0.05;
  const bool is_worth_a_point = recorded.end.new_problems > 0 || total_.seconds > 1.01 * noted_seconds_;
  if (is_worth_a_point && part * (clock_.seconds() - counted_at_) >= counting_took_)
    note_point();
}

void RunTally::note_point() {
  const double begin = clock_.seconds();
  join_shared_places(database_);
  const ProblemCounts counts = count_problems(database_);
  counted_at_ = clock_.seconds();
  counting_took_ = counted_at_ - begin;
  total_.errors = counts.errors;
  total_.warnings = counts.warnings;
  result_.progress.problems = counts;
  add_point(database_, run_, total_);
  noted_seconds_ = total_.seconds;
}

RunProgress RunTally::progress() const {
  RunProgress now = result_.progress;
  now.seconds = clock_.seconds();
  now.since_news = now.seconds - last_news_;
  return now;
}

RunResult RunTally::result(RunEnding ending) const {
  RunResult result = result_;
  result.ending = ending;
  result.progress = progress();
  return result;
}

namespace {

// Returns the stored array extents of a function, so that each function is measured once.
std::optional<hunt::ExtentAnswer> stored(Database& database, const Target& target, const std::string& hash) {
  Rows rows = database.ask("SELECT found, why_not FROM extents WHERE symbol = ? AND hash = ?", target.symbol, hash);
  if (!rows.next())
    return std::nullopt;
  if (rows.is_null(0))
    return hunt::ExtentAnswer{std::nullopt, rows.text(1)};
  const model::Json json = model::parse_json(rows.text(0));
  const model::Place place(json, fmt::format("{}: extents of {}", database.file(), target.symbol));
  return hunt::ExtentAnswer{model::from_json<model::FoundExtents>(place), ""};
}

// The result refers to the database.
hunt::ExtentMemory extent_memory(Database& database) {
  return {
      .recall = [&database](const Target& target, const std::string& hash) { return stored(database, target, hash); },
      .keep =
          [&database](const Target& target, const std::string& hash, const hunt::ExtentAnswer& answer) {
            const std::string found = answer.found ? model::json_text(to_json(*answer.found)) : "";
            database.run("INSERT OR REPLACE INTO extents VALUES (?, ?, nullif(?, ''), ?)", target.symbol, hash, found,
                         answer.why_not);
            database.keep_from_forks();
          }};
}

// Merges the results that tasks of earlier runs have left: they may have continued after their run ended. Stops tasks
// that still run and removes their folders; their later results are lost and will be found again.
void merge_left_over(const RoundsOf& of, const std::string& campaign, std::vector<TargetRow>& rows,
                     const Merging::OnMerged& on_merged) {
  Merging merging(of, rows, on_merged);
  for (const auto& [run, folder] : shares_of(campaign)) {
    folder.stop();
    for (const ResultsName& name : folder.results())
      merging.merge(folder.results_file(name));
    std::error_code ignored;
    std::filesystem::remove_all(folder.path(), ignored);
    of.database.run("DELETE FROM shares WHERE file LIKE ?", fmt::format("{}/%", run));
  }
}

std::vector<std::vector<model::Retry>> first_inputs_of(const hunt::HuntTargets& selected,
                                                       const hunt::Options& options) {
  std::vector<std::vector<model::Retry>> inputs(selected.targets.size());
  for (size_t i = 0; options.seen && i < inputs.size(); ++i)
    hunt::add_seen(inputs[i], *options.seen, selected.targets[i], selected.settings[i], options.near);
  return inputs;
}

class CampaignRun {
public:
  CampaignRun(const RoundsOf& of, CampaignTargets& targets, const RunListener& listener, const RunClock& clock)
      : of_(of), targets_(targets), listener_(listener), clock_(clock),
        tally_(of.database, of.run, targets.rows, clock_) {}

  // Merges the results that tasks of earlier runs have left.
  void collect(const std::string& folder) {
    merge_left_over(of_, folder, targets_.rows, [this](size_t i, const RoundResult& recorded) { add(i, recorded); });
  }

  // Carries out rounds by workers of this process.
  RunEnding run_here(const std::atomic<bool>& stop) {
    std::atomic<bool> halt = false;
    Rounds rounds(of_, targets_,
                  [this](size_t i, const FinishedRound&, const RoundResult& recorded) { add(i, recorded); });
    rounds.run(
        halt, [this] { return !clock_.is_over(); },
        [&] {
          halt = halt || stop || clock_.grace_is_over();
          tell();
        });
    return stop ? RunEnding::stopped : clock_.is_over() ? RunEnding::time : RunEnding::evaluations;
  }

  // Carries out rounds by remote tasks.
  RunEnding run_elsewhere(const std::string& folder, const RemoteOptions& elsewhere, const std::atomic<bool>& stop,
                          std::optional<base::UserError>& trouble) {
    ShareRun run(of_, targets_, elsewhere.folder.empty() ? folder : elsewhere.folder, elsewhere, clock_,
                 [this](size_t i, const RoundResult& recorded) { add(i, recorded); });
    trouble = run.run(stop, [&](const std::string& how) {
      tally_.tell_elsewhere(how);
      tell();
    });
    return trouble            ? RunEnding::lost
           : stop             ? RunEnding::stopped
           : clock_.is_over() ? RunEnding::time
                              : RunEnding::evaluations;
  }

  RunResult end(RunEnding ending) {
    tally_.note_point();
    end_run(of_.database, of_.run, ending);
    return tally_.result(ending);
  }

private:
  void add(size_t i, const RoundResult& recorded) {
    tally_.add(recorded, targets_.rows[i].rounds == 1 && recorded.round == first_look_round);
  }
  void tell() const {
    if (listener_.on_progress)
      listener_.on_progress(tally_.progress());
  }

  RoundsOf of_;
  CampaignTargets& targets_;
  const RunListener& listener_;
  const RunClock& clock_;
  RunTally tally_;
};

} // namespace

RunResult run_campaign(Database& database, const std::string& folder, const hunt::Options& options,
                       const Subject& subject, const std::string& commit, const RunLimits& limits,
                       const RunListener& listener, const std::optional<RemoteOptions>& elsewhere,
                       const std::atomic<bool>& stop) {
  const RunClock clock(limits.seconds);
  const hunt::ExtentMemory memory = extent_memory(database);
  hunt::HuntTargets selected = select_targets(options, stop, &memory);
  if (stop) // otherwise, functions that were not measured would be marked as gone
    return {RunEnding::stopped, {}, {}, 0};
  const std::string program = store_program(selected.program, options.sources, folder);
  const int64_t id = begin_run(database, {commit, program, blank_report(options).configuration, clock.seconds()});
  StoredTargets stored = store_targets(database, selected, id);
  std::vector<std::vector<model::Retry>> inputs = first_inputs_of(selected, options);
  CampaignTargets targets(std::move(selected), std::move(stored.rows), std::move(inputs));
  CampaignRun run({database, options, subject.seed, id, limits.evaluations}, targets, listener, clock);
  if (listener.on_begin)
    listener.on_begin(stored.changes);
  run.collect(folder);
  if (elsewhere && !elsewhere->folder.empty()) {
    take_shared_folder(elsewhere->folder, folder);
    run.collect(elsewhere->folder);
    copy_program(program, folder, elsewhere->folder);
  }
  std::optional<base::UserError> trouble;
  const RunEnding ending = elsewhere ? run.run_elsewhere(folder, *elsewhere, stop, trouble) : run.run_here(stop);
  RunResult result = run.end(ending);
  if (trouble)
    throw *trouble;
  return result;
}

} // namespace faultline::campaign
