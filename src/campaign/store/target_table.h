// The functions of a campaign, as the store knows them.
#pragma once

#include "campaign/store/database.h"
#include "finding/report.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

enum class TargetState : uint8_t {
  open,        // to be hunted in
  known,       // what is known of it is tried again first: it has changed
  undiagnosed, // short rounds have found something, and only what it is
  refused,     // it cannot be hunted in
  gone,        // the program does not have it any more
};
std::string_view text(TargetState state);
std::optional<TargetState> target_state_of(std::string_view text);

// What tells versions of a function apart: hashes.
struct Version {
  std::string code, places, settings;

  bool operator==(const Version&) const = default;
};

struct TargetRow {
  int64_t id = 0;
  std::string function, symbol;
  TargetState state = TargetState::open;
  int64_t program = 0; // its version's row
  Version version;
  uint64_t rounds = 0, granted = 0;
  double seconds = 0, news = 0, news_seconds = 0;
  uint64_t quiet = 0, reached = 0;
  double everyday_error = 0;
  std::optional<finding::Largest> largest_everyday = {}, largest = {};
};

// In the order of their ids, which is that in which they were met.
std::vector<TargetRow> targets_of(Database& database);

// The everyday range of an input, where that was said or seen.
struct InputNote {
  std::string input, low, high;
  std::string everyday_low, everyday_high; // empty: nothing was
};

// The largest error in a column of the table. Throws UserError.
std::optional<finding::Largest> largest_in(const Database& database, const Rows& rows, int column);

// What the program says of a function now.
struct TargetNow {
  std::string symbol;
  Version version;
  finding::TargetReport head; // without findings
  std::vector<InputNote> inputs;
};

// A new one, or a new version. What was counted begins anew with `starts_over`.
int64_t add_target(Database& database, const TargetNow& now, int64_t run);
void update_target(Database& database, int64_t target, const TargetNow& now, int64_t run, TargetState state,
                   bool starts_over);
void note_place(Database& database, int64_t target, const TargetNow& now); // nothing else has changed
// The proof of the report, if it has one. It is kept until the function changes.
void store_proof(Database& database, int64_t target, const finding::TargetReport& report);
void mark_gone(Database& database, int64_t target, int64_t run);

// After a job: all that the row counts.
struct TargetEnd {
  finding::TargetOutcome outcome = finding::TargetOutcome::none;
  std::string note;
  uint64_t evaluations = 0, sites = 0;
};
void store_progress(Database& database, const TargetRow& row, const TargetEnd& end, double seconds);

} // namespace faultline::campaign
