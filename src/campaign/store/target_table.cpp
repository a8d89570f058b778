#include "campaign/store/target_table.h"

#include "finding/json/finding_json.h"
#include "finding/json/json_place.h"
#include "finding/names.h"
#include "frontend/error.h"

#include <fmt/format.h>

namespace faultline::campaign {
namespace {

constexpr auto state_names = std::to_array<std::pair<TargetState, std::string_view>>({
    {TargetState::open, "open"},
    {TargetState::known, "known"},
    {TargetState::undiagnosed, "undiagnosed"},
    {TargetState::refused, "refused"},
    {TargetState::gone, "gone"},
});

int64_t add_version(Database& database, int64_t target, const Version& version, int64_t run) {
  database.run("INSERT INTO programs (target, code, places, settings, first_run) VALUES (?, ?, ?, ?, ?)", target,
               version.code, version.places, version.settings, run);
  return database.last_row();
}

void note_inputs(Database& database, int64_t target, const std::vector<InputNote>& inputs) {
  database.run("DELETE FROM ranges WHERE target = ?", target);
  for (const InputNote& note : inputs)
    database.run("INSERT OR REPLACE INTO ranges VALUES (?, ?, ?, ?, nullif(?, ''), nullif(?, ''))", target, note.input,
                 note.low, note.high, note.everyday_low, note.everyday_high);
}

std::string head_text(const TargetNow& now) { return finding::json_text(to_json(now.head)); }

void store_head(Database& database, int64_t target, const TargetNow& now) {
  database.run("UPDATE targets SET file = ?, line = ?, head = ? WHERE id = ?", now.head.file, now.head.line,
               head_text(now), target);
  note_inputs(database, target, now.inputs);
}

std::optional<finding::Proof> proof_of(Database& database, int64_t target) {
  Rows rows = database.ask("SELECT head FROM targets WHERE id = ?", target);
  return rows.next() ? finding::parse_target(rows.text(0), fmt::format("{}, target {}", database.file(), target)).proof
                     : std::nullopt;
}

std::string largest_text(const std::optional<finding::Largest>& largest) {
  return largest ? finding::json_text(to_json(*largest)) : std::string();
}

} // namespace

std::optional<finding::Largest> largest_in(const Database& database, const Rows& rows, int column) {
  if (rows.is_null(column))
    return std::nullopt;
  return finding::read_json(rows.text(column), database.file() + ", largest error",
                            finding::from_json<finding::Largest>);
}

std::string_view text(TargetState state) { return finding::name_of(state_names, state); }
std::optional<TargetState> target_state_of(std::string_view text) { return finding::id_of(state_names, text); }

std::vector<TargetRow> targets_of(Database& database) {
  std::vector<TargetRow> targets;
  Rows rows = database.ask(
      "SELECT t.id, t.function, t.symbol, t.state, t.program, p.code, p.places, p.settings, t.rounds, t.granted, "
      "t.seconds, t.news, t.news_seconds, t.quiet, t.reached, t.everyday_error, t.largest_everyday, t.largest "
      "FROM targets t JOIN programs p ON p.id = t.program ORDER BY t.id");
  while (rows.next()) {
    const auto state = target_state_of(rows.text(3));
    if (!state)
      throw frontend::UserError(frontend::status_usage,
                                fmt::format("{}: target {} is in no state", database.file(), rows.whole(0)), "");
    targets.push_back({.id = rows.whole(0),
                       .function = rows.text(1),
                       .symbol = rows.text(2),
                       .state = *state,
                       .program = rows.whole(4),
                       .version = {rows.text(5), rows.text(6), rows.text(7)},
                       .rounds = uint64_t(rows.whole(8)),
                       .granted = uint64_t(rows.whole(9)),
                       .seconds = rows.number(10),
                       .news = rows.number(11),
                       .news_seconds = rows.number(12),
                       .quiet = uint64_t(rows.whole(13)),
                       .reached = uint64_t(rows.whole(14)),
                       .everyday_error = rows.number(15),
                       .largest_everyday = largest_in(database, rows, 16),
                       .largest = largest_in(database, rows, 17)});
  }
  return targets;
}

int64_t add_target(Database& database, const TargetNow& now, int64_t run) {
  database.run("INSERT INTO targets (function, symbol, file, line, state, head, first_run) "
               "VALUES (?, ?, ?, ?, 'open', ?, ?)",
               now.head.function, now.symbol, now.head.file, now.head.line, head_text(now), run);
  const int64_t target = database.last_row();
  const int64_t version = add_version(database, target, now.version, run);
  database.run("UPDATE targets SET program = ? WHERE id = ?", version, target);
  note_inputs(database, target, now.inputs);
  return target;
}

void update_target(Database& database, int64_t target, const TargetNow& now, int64_t run, TargetState state,
                   bool starts_over) {
  store_head(database, target, now);
  const int64_t version = add_version(database, target, now.version, run);
  database.run("UPDATE targets SET program = ?, state = ?, gone_run = NULL WHERE id = ?", version, text(state), target);
  if (!starts_over)
    return;
  database.run("UPDATE targets SET rounds = 0, granted = 0, news = 0, news_seconds = 0, quiet = 0, reached = 0, "
               "everyday_error = 0, largest_everyday = NULL, largest = NULL, outcome = 'none', note = '' WHERE id = ?",
               target);
  database.run("DELETE FROM incidence WHERE target = ?", target);
}

void note_place(Database& database, int64_t target, const TargetNow& now) {
  TargetNow same = now;
  same.head.proof = proof_of(database, target);
  store_head(database, target, same);
}

void store_proof(Database& database, int64_t target, const finding::TargetReport& report) {
  if (!report.proof)
    return;
  Rows rows = database.ask("SELECT head FROM targets WHERE id = ?", target);
  if (!rows.next())
    return;
  finding::TargetReport head =
      finding::parse_target(rows.text(0), fmt::format("{}, target {}", database.file(), target));
  head.inputs = report.inputs; // a proof names them
  head.proof = report.proof;
  database.run("UPDATE targets SET head = ? WHERE id = ?", finding::json_text(to_json(head)), target);
}

void mark_gone(Database& database, int64_t target, int64_t run) {
  database.run("UPDATE targets SET state = 'gone', gone_run = ? WHERE id = ?", run, target);
  database.run("UPDATE findings SET until_run = ? WHERE target = ? AND until_run IS NULL", run, target);
  database.run("DELETE FROM incidence WHERE target = ?", target);
}

void store_progress(Database& database, const TargetRow& row, const TargetEnd& end, double seconds) {
  database.run("UPDATE targets SET state = ?, outcome = ?, note = ?, rounds = ?, granted = ?, "
               "evaluations = evaluations + ?, seconds = seconds + ?, news = ?, news_seconds = ?, quiet = ?, "
               "sites = max(sites, ?), reached = ?, everyday_error = ?, largest_everyday = nullif(?, ''), "
               "largest = nullif(?, '') WHERE id = ?",
               text(row.state), finding::text(end.outcome), end.note, row.rounds, row.granted, end.evaluations, seconds,
               row.news, row.news_seconds, row.quiet, end.sites, row.reached, row.everyday_error,
               largest_text(row.largest_everyday), largest_text(row.largest), row.id);
}

} // namespace faultline::campaign
