#include "campaign/store/campaign_file.h"

#include "base/error.h"
#include "model/finding.h"
#include "model/json/finding_json.h"
#include "model/json/json_place.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::campaign {

using base::status_usage;
using base::UserError;
using model::Json;
using model::Place;

namespace {

std::string file_in(const std::string& folder) { return folder + "/run.lock"; }

struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

constexpr auto ending_names = std::to_array<std::pair<RunEnding, std::string_view>>({
    {RunEnding::evaluations, "evaluations"},
    {RunEnding::time, "time"},
    {RunEnding::stopped, "stopped"},
    {RunEnding::lost, "lost"},
});

std::optional<std::string> find_fact(Database& database, const char* key) {
  Rows rows = database.ask("SELECT value FROM campaign WHERE key = ?", key);
  return rows.next() ? std::optional(rows.text(0)) : std::nullopt;
}

std::string fact(Database& database, const char* key) {
  std::optional<std::string> value = find_fact(database, key);
  if (!value)
    throw UserError(status_usage, fmt::format("{}: its {} is missing", database.file(), key),
                    "faultline campaign init DIR SOURCE... makes a campaign");
  return *value;
}

} // namespace

RunLock::RunLock(const std::string& folder)
    : descriptor_(open(file_in(folder).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666)) {
  if (descriptor_ < 0)
    throw UserError(status_usage, fmt::format("{}: {}", file_in(folder), std::strerror(errno)),
                    "name the folder of a campaign that you may write to");
  struct flock lock = whole_file();
  if (fcntl(descriptor_, F_SETLK, &lock) == 0)
    return;
  const int reason = errno;
  close(descriptor_);
  if (reason != EACCES && reason != EAGAIN)
    throw UserError(status_usage, fmt::format("{}: cannot be locked: {}", file_in(folder), std::strerror(reason)),
                    "a campaign lies on a file system of this machine; others take part by files (docs/campaigns.md)");
  const pid_t holder = holder_of_lock(folder).value_or(0);
  throw UserError(
      status_usage,
      fmt::format("{}: a run is under way{}", folder, holder > 0 ? fmt::format(", process {}", holder) : ""),
      fmt::format("faultline campaign stop {}, or wait for it", folder));
}

RunLock::~RunLock() { close(descriptor_); }

std::optional<pid_t> holder_of_lock(const std::string& folder) {
  const int descriptor = open(file_in(folder).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0)
    return std::nullopt;
  struct flock lock = whole_file();
  const bool asked = fcntl(descriptor, F_GETLK, &lock) == 0;
  close(descriptor);
  if (!asked || lock.l_type == F_UNLCK)
    return std::nullopt;
  return std::max(lock.l_pid, 0);
}

int64_t seconds_now() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

std::string store_of(const std::string& folder) { return folder + "/campaign.db"; }

NewCampaign::NewCampaign(const std::string& folder, const Subject& subject) : folder_(folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::exists(fs::symlink_status(store_of(folder), error)))
    throw UserError(status_usage, fmt::format("{}: is a campaign already", folder),
                    fmt::format("faultline campaign run {}, or name another folder", folder));
  for (fs::path at = folder; !fs::exists(at, error) && at.has_relative_path(); at = at.parent_path())
    made_folders_.push_back(at.string());
  fs::create_directories(folder, error);
  if (error)
    throw UserError(status_usage, fmt::format("{}: {}", folder, error.message()), "name a folder that can be made");
  try {
    make(subject);
  } catch (...) { // there is no object yet, and so no destructor
    remove();
    throw;
  }
}

NewCampaign::~NewCampaign() {
  if (!kept_)
    remove();
}

void NewCampaign::remove() noexcept {
  std::error_code ignored;
  for (const char* ending : {"", "-journal", "-wal", "-shm"})
    std::filesystem::remove(store_of(folder_) + ending, ignored);
  for (const std::string& folder : made_folders_)
    std::filesystem::remove(folder, ignored); // if it is empty
}

void NewCampaign::make(const Subject& subject) {
  Database database(store_of(folder_), Database::Opening::make);
  bring_up_to_date(database);
  Transaction transaction(database);
  const auto note = [&](const char* key, const std::string& value) {
    database.run("INSERT INTO campaign VALUES (?, ?)", key, value);
  };
  note("command", model::json_text(Json(subject.command)));
  note("folder", subject.folder);
  note("seed", std::to_string(subject.seed));
  note("made", std::to_string(seconds_now()));
  transaction.commit();
}

std::unique_ptr<Database> open_campaign(const std::string& folder, Database::Opening opening) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(store_of(folder), error))
    throw UserError(status_usage, fmt::format("{}: not a campaign (no campaign.db)", folder),
                    fmt::format("faultline campaign init {} SOURCE... makes one", folder));
  auto database = std::make_unique<Database>(store_of(folder), opening);
  if (opening == Database::Opening::read && database->whole("PRAGMA user_version") < schema_version()) {
    Database changed(store_of(folder), Database::Opening::change);
    bring_up_to_date(changed);
  }
  bring_up_to_date(*database);
  return database;
}

Subject subject_of(Database& database) {
  Subject subject;
  const std::string command = fact(database, "command");
  subject.command =
      model::read_json(command, database.file() + ", command", model::from_json<std::vector<std::string>>);
  subject.folder = fact(database, "folder");
  try {
    subject.seed = std::stoull(fact(database, "seed"));
  } catch (const std::logic_error&) {
    throw UserError(status_usage, fmt::format("{}: its seed is not a number", database.file()), "");
  }
  if (const std::optional<std::string> read = find_fact(database, "configuration"))
    subject.configuration =
        model::read_json(*read, database.file() + ", configuration", model::from_json<model::ReadConfiguration>);
  return subject;
}

int64_t begin_run(Database& database, const RunBegin& run) {
  Transaction transaction(database);
  database.run("UPDATE jobs SET state = 'open' WHERE state = 'running'");
  database.run("INSERT INTO runs (started, commit_name, program, faultline) VALUES (?, ?, ?, ?)",
               seconds_now() - int64_t(run.seconds), run.commit, run.program, model::version);
  const int64_t id = database.last_row();
  database.run("DELETE FROM campaign WHERE key = 'configuration'");
  if (run.configuration)
    database.run("INSERT INTO campaign VALUES ('configuration', ?)", model::json_text(to_json(*run.configuration)));
  transaction.commit();
  return id;
}

std::string_view text(RunEnding ending) { return model::name_of(ending_names, ending); }
std::optional<RunEnding> run_ending_of(std::string_view text) { return model::id_of(ending_names, text); }

void end_run(Database& database, int64_t run, RunEnding ending) {
  Transaction transaction(database);
  database.run("UPDATE jobs SET state = 'open' WHERE state = 'running'");
  database.run("UPDATE runs SET ended = ?, ending = ? WHERE id = ?", seconds_now(), text(ending), run);
  transaction.commit();
}

std::vector<RunRow> runs_of(Database& database) {
  std::vector<RunRow> runs;
  Rows rows = database.ask("SELECT id, started, ended, ending, commit_name, program FROM runs ORDER BY id");
  while (rows.next())
    runs.push_back({rows.whole(0), rows.whole(1), rows.is_null(2) ? std::nullopt : std::optional(rows.whole(2)),
                    rows.text(3), rows.text(4), rows.text(5)});
  return runs;
}

} // namespace faultline::campaign
