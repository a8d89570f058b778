#include "campaign/comparing_programs.h"

#include "campaign/store/finding_table.h"
#include "finding/hash.h"
#include "finding/settings/table.h"
#include "hunt/blank_report.h"
#include "judge/space_of_target.h"
#include "numeric/decimal.h"

#include <fmt/format.h>
#include <map>
#include <set>

namespace faultline::campaign {

using finding::Settings;
using frontend::Target;

namespace {

void add_cells(finding::Hash& hash, const std::vector<frontend::Cell>& cells) {
  for (const frontend::Cell& cell : cells) {
    hash.add(cell.name);
    hash.add(cell.type.name());
    hash.add(fmt::format("{} {}", cell.offset, cell.judged));
    for (const int64_t value : cell.values)
      hash.add(std::to_string(value));
  }
  hash.add("");
}

// All that is said of the function, and what debug information says of its arguments, which the code does not show.
std::string settings_hash(const Target& target, const Settings& settings) {
  finding::Hash hash;
  for (const std::string& word : words_of(said_by(settings)))
    hash.add(word);
  add_cells(hash, target.inputs);
  add_cells(hash, target.outputs);
  return hash.text();
}

std::vector<InputNote> notes_on(const finding::TargetReport& head, const Settings& settings) {
  std::vector<InputNote> notes;
  for (const finding::InputRange& range : head.inputs) {
    InputNote note{range.name, range.low, range.high, "", ""};
    auto everyday = settings.everyday.find(range.name);
    if (everyday == settings.everyday.end())
      everyday = settings.everyday.find(frontend::parameter_of(range.name));
    if (everyday != settings.everyday.end()) {
      note.everyday_low = numeric::shortest_decimal(everyday->second.low);
      note.everyday_high = numeric::shortest_decimal(everyday->second.high);
    }
    notes.push_back(std::move(note));
  }
  return notes;
}

TargetNow now_of(const Target& target, const Settings& settings, const Measured& measured,
                 const frontend::ReachHash& hash) {
  TargetNow now;
  now.symbol = target.symbol;
  now.version = {hash.code, hash.places, settings_hash(target, settings)};
  now.head = blank_report(target, settings);
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
    if (same && was_gone) // one commit did not compile, perhaps
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

StoredTargets store_targets(Database& database, HuntTargets& selected, int64_t run) {
  const std::vector<frontend::ReachHash> hashes = selected.program.reach_hashes(selected.targets);
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

} // namespace faultline::campaign
