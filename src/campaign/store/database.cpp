#include "campaign/store/database.h"

#include "base/error.h"
#include "base/files.h"

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <new>
#include <sqlite3.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace faultline::campaign {

using base::status_usage;
using base::UserError;

namespace {

// One string per version. A released step never changes; a new one is added.
constexpr const char* steps[] = {
    R"sql(
CREATE TABLE campaign (            -- seed, command, folder, ...
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  started INTEGER NOT NULL,        -- seconds since 1970, as all times
  ended INTEGER,                   -- null: it is under way, or was killed
  ending TEXT NOT NULL DEFAULT '', -- time, evaluations, stopped
  commit_name TEXT NOT NULL,       -- of the sources; empty: not known
  program TEXT NOT NULL,           -- SHA-256 of DIR/programs/HASH.bc
  faultline TEXT NOT NULL          -- version
) STRICT;

CREATE TABLE targets (
  id INTEGER PRIMARY KEY,
  function TEXT NOT NULL,
  symbol TEXT NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  state TEXT NOT NULL,             -- open, known (its known inputs come first), refused, gone
  program INTEGER,                 -- the version that is targets in
  head TEXT NOT NULL,              -- JSON: inputs, settings
  outcome TEXT NOT NULL DEFAULT 'none',
  note TEXT NOT NULL DEFAULT '',
  rounds INTEGER NOT NULL DEFAULT 0,      -- of this version
  granted INTEGER NOT NULL DEFAULT 0,     -- evaluations, by the jobs of this version that are done
  evaluations INTEGER NOT NULL DEFAULT 0, -- that were made, by all versions
  seconds REAL NOT NULL DEFAULT 0,
  news REAL NOT NULL DEFAULT 0,           -- of late, and in how many seconds: where to go on
  news_seconds REAL NOT NULL DEFAULT 0,
  quiet INTEGER NOT NULL DEFAULT 0,       -- rounds without news
  sites INTEGER NOT NULL DEFAULT 0,
  reached INTEGER NOT NULL DEFAULT 0,
  everyday_error REAL NOT NULL DEFAULT 0, -- the largest
  first_run INTEGER NOT NULL REFERENCES runs(id),
  gone_run INTEGER REFERENCES runs(id),
  UNIQUE (function, symbol)
) STRICT;

CREATE TABLE programs (            -- versions of what a function reaches
  id INTEGER PRIMARY KEY,
  target INTEGER NOT NULL REFERENCES targets(id),
  code TEXT NOT NULL,              -- hashes: of the code, of its files and lines, of the settings of the function
  places TEXT NOT NULL,
  settings TEXT NOT NULL,
  first_run INTEGER NOT NULL REFERENCES runs(id)
) STRICT;
CREATE INDEX programs_of_target ON programs(target);

CREATE TABLE ranges (              -- of inputs: searched, and everyday if it was given or recorded
  target INTEGER NOT NULL REFERENCES targets(id),
  input TEXT NOT NULL,
  low TEXT NOT NULL,
  high TEXT NOT NULL,
  everyday_low TEXT,
  everyday_high TEXT,
  PRIMARY KEY (target, input)
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY,
  target INTEGER NOT NULL REFERENCES targets(id),
  program INTEGER NOT NULL REFERENCES programs(id),
  round INTEGER NOT NULL,          -- -1: known inputs; 0: the first look
  arm TEXT NOT NULL,
  seed INTEGER NOT NULL,
  evaluations INTEGER NOT NULL,
  state TEXT NOT NULL,             -- running, open (left over by a run that was killed), done
  run INTEGER NOT NULL REFERENCES runs(id),
  started INTEGER NOT NULL,
  killed TEXT,                     -- the input at which a signal from outside killed its worker; restarted
  seconds REAL,                    -- of a job that is done, as all that follows
  made INTEGER,                    -- evaluations
  outcome TEXT,
  cut INTEGER,                     -- the clock ended it
  news REAL,                       -- for the function
  new_problems INTEGER,            -- for the library, of tiers error and warning
  UNIQUE (target, program, round)
) STRICT;
CREATE INDEX jobs_by_state ON jobs(state) WHERE state <> 'done';

CREATE TABLE findings (
  id INTEGER PRIMARY KEY,
  target INTEGER NOT NULL REFERENCES targets(id),
  finding TEXT NOT NULL,           -- its id in reports
  fingerprint TEXT NOT NULL,
  problem TEXT NOT NULL,           -- the id of its problem
  class TEXT NOT NULL,
  kind TEXT NOT NULL,
  tier TEXT NOT NULL,
  everyday INTEGER NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  error REAL,                      -- relative
  suppressed TEXT,                 -- the reason
  json TEXT NOT NULL,
  first_run INTEGER NOT NULL REFERENCES runs(id), -- in which its fingerprint was seen
  last_run INTEGER NOT NULL REFERENCES runs(id),
  since_run INTEGER NOT NULL REFERENCES runs(id), -- this row holds from then on,
  until_run INTEGER REFERENCES runs(id)           -- and not any more in this one; null: it holds
) STRICT;
CREATE UNIQUE INDEX findings_that_hold ON findings(target, finding) WHERE until_run IS NULL;
CREATE INDEX findings_by_fingerprint ON findings(target, fingerprint);
CREATE INDEX findings_by_problem ON findings(problem) WHERE until_run IS NULL;

CREATE TABLE incidence (           -- in how many jobs of a function a problem was seen
  problem TEXT NOT NULL,
  target INTEGER NOT NULL REFERENCES targets(id),
  tier TEXT NOT NULL,
  jobs INTEGER NOT NULL,
  PRIMARY KEY (problem, target)
) STRICT, WITHOUT ROWID;

CREATE TABLE curve (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs(id),
  seconds REAL NOT NULL,           -- of all workers, in all runs, until then
  jobs INTEGER NOT NULL,
  evaluations INTEGER NOT NULL,
  errors INTEGER NOT NULL,         -- problems
  warnings INTEGER NOT NULL
) STRICT;

CREATE VIEW problems AS
SELECT problem AS id, class, file, line,
       CASE min(CASE tier WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END)
         WHEN 0 THEN 'error' WHEN 1 THEN 'warning' ELSE 'note' END AS tier,
       max(everyday) AS everyday, max(error) AS error, count(DISTINCT target) AS functions,
       count(suppressed) = count(*) AS suppressed, min(first_run) AS first_run, max(last_run) AS last_run,
       until_run
FROM findings GROUP BY problem, until_run IS NULL;

CREATE VIEW suppressions AS
SELECT f.suppressed AS reason, f.file, f.line, f.class, t.function
FROM findings f JOIN targets t ON t.id = f.target WHERE f.suppressed IS NOT NULL AND f.until_run IS NULL;
)sql",
    R"sql(
CREATE TABLE extents (             -- of arrays, found by running the function
  symbol TEXT PRIMARY KEY,
  hash TEXT NOT NULL,              -- of its code and its settings
  found TEXT,                      -- JSON; null: none was found,
  why_not TEXT NOT NULL            -- for this reason
) STRICT, WITHOUT ROWID;
)sql",
    R"sql(
ALTER TABLE targets ADD COLUMN largest_everyday TEXT; -- JSON, as in reports: the largest error at everyday inputs,
ALTER TABLE targets ADD COLUMN largest TEXT;          -- and anywhere, finding or not

ALTER TABLE findings ADD COLUMN folded INTEGER NOT NULL DEFAULT 0; -- the result is right: reports show it with --all
ALTER TABLE findings ADD COLUMN vague INTEGER NOT NULL DEFAULT 0;  -- it does not say what is wrong at its place
UPDATE findings SET folded = coalesce(json_extract(json, '$.result') = 'right', 0) OR
                             coalesce(json_extract(json, '$.harmless'), 0),
                    vague = class IN ('inaccuracy', 'bound-violated');
CREATE INDEX findings_by_place ON findings(file, line) WHERE until_run IS NULL;

CREATE TABLE reports (             -- pages that were written, for what is new since then: the last two
  id INTEGER PRIMARY KEY,
  written INTEGER NOT NULL,
  run INTEGER NOT NULL,            -- the last one then; 0: there was none
  state TEXT NOT NULL              -- of the campaign then: a page that is written again without a change is the same
) STRICT;

CREATE TABLE reported (            -- the problems in them
  report INTEGER NOT NULL REFERENCES reports(id) ON DELETE CASCADE,
  problem TEXT NOT NULL,
  fingerprint TEXT NOT NULL,       -- of one of its findings
  tier TEXT NOT NULL,
  class TEXT NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  function TEXT NOT NULL,
  PRIMARY KEY (report, problem, fingerprint)
) STRICT, WITHOUT ROWID;

DROP VIEW problems;
CREATE VIEW problems AS
SELECT problem AS id, class, file, line,
       CASE min(CASE tier WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END)
         WHEN 0 THEN 'error' WHEN 1 THEN 'warning' ELSE 'note' END AS tier,
       max(everyday) AS everyday, max(error) AS error, count(DISTINCT target) AS functions,
       count(suppressed) = count(*) AS suppressed, min(first_run) AS first_run, max(last_run) AS last_run,
       until_run
FROM findings WHERE NOT folded GROUP BY problem, until_run IS NULL;
)sql",
    R"sql(
CREATE TABLE shares (              -- files of results that tasks elsewhere write
  file TEXT PRIMARY KEY,           -- run, job and task
  read INTEGER NOT NULL            -- bytes of it that are in the store
) STRICT, WITHOUT ROWID;
)sql",
};

// Files that SQLite trusts can make it do harm: it deletes the file that a rollback journal names as its super-journal,
// and it follows links when it writes its logs. So the files of a store are checked before SQLite sees them.

[[noreturn]] void refuse_store(const std::string& file, const std::string& why) {
  throw UserError(status_usage, fmt::format("{}: {}", file, why),
                  "if you trust its origin, copy the folder with cp -rL, and remove campaign.db-journal");
}

// Throws if the file exists and is a link, a pipe or a device, or another user's.
void check_is_own(const std::string& file) {
  struct stat status {};
  if (lstat(file.c_str(), &status) != 0)
    return;
  if (!S_ISREG(status.st_mode))
    refuse_store(file, "is not a regular file");
  if (status.st_uid != geteuid() && status.st_uid != 0)
    refuse_store(file, "belongs to another user");
}

constexpr std::string_view companions[] = {"-journal", "-wal", "-shm"};

// Throws if the journal names another file. Ours never does: that takes a second, attached database.
void check_journal(const std::string& file) {
  const std::string journal = file + "-journal", end = base::last_bytes(journal, 8);
  if (end == "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7") // SQLite's file format, section 3.1
    refuse_store(journal, "is the journal of several databases");
}

// Throws unless the header has our number, so that other programs' databases are never written to.
void check_header(const std::string& file) {
  constexpr size_t place = 68, end = place + 4;
  const std::string header = base::regular_content(file, end).value_or("");
  uint32_t number = 0;
  for (size_t i = place; i < header.size(); ++i)
    number = number << 8 | static_cast<unsigned char>(header[i]);
  if (!header.starts_with("SQLite format 3") || header.size() < end || int64_t(number) != application_id)
    throw UserError(status_usage, fmt::format("{}: not a campaign of Faultline", file),
                    "faultline campaign init DIR SOURCE... makes one");
}

// Returns the path that SQLite opens, without links.
std::string checked_path(const std::string& file, Database::Opening opening) {
  if (file == ":memory:")
    return file;
  check_is_own(file);
  for (const std::string_view ending : companions)
    check_is_own(file + std::string(ending));
  check_journal(file);
  if (opening != Database::Opening::make)
    check_header(file);
  const std::filesystem::path path = file;
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::canonical(path.parent_path(), error);
  return error ? file : (folder / path.filename()).string();
}

// A finding with an array of 131,072 inputs and its witnesses has at most some hundred megabytes of JSON.
constexpr int most_bytes = 1 << 28;
constexpr int busy_milliseconds = 10'000; // long enough for a reader, or for a checkpoint by `sqlite3`

int flags_of(Database::Opening opening) {
  return SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_READWRITE | (opening == Database::Opening::make ? SQLITE_OPEN_CREATE : 0);
}

} // namespace

int64_t schema_version() { return int64_t(std::size(steps)); }

void bring_up_to_date(Database& database) {
  const auto version = [&] { return database.whole("PRAGMA user_version"); };
  if (version() > schema_version())
    throw UserError(status_usage,
                    fmt::format("{}: its schema is version {}, and this Faultline knows {}", database.file(), version(),
                                schema_version()),
                    "use the Faultline that made it, or a later one");
  const bool is_new = database.whole("SELECT count(*) FROM sqlite_schema") == 0;
  if (!is_new && database.whole("PRAGMA application_id") != application_id)
    throw UserError(status_usage, fmt::format("{}: not a campaign of Faultline", database.file()),
                    "faultline campaign init DIR SOURCE... makes one");
  if (version() == schema_version())
    return;
  Transaction transaction(database);
  for (int64_t step = version(); step < schema_version(); ++step) // read again: another process may have migrated
    database.script(steps[step]);
  database.script(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", application_id, schema_version()));
  transaction.commit();
}

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }
void Rows::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Database::Database(const std::string& file, Opening opening) : file_(file) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(checked_path(file, opening).c_str(), &opened, flags_of(opening), nullptr);
  database_.reset(opened);
  if (code != SQLITE_OK)
    fail(code);
  defend();
  // A write-ahead log allows readers while a campaign runs. It is synced at checkpoints, not at each commit: kill -9
  // loses nothing, and a power cut at most the last jobs, which are run again.
  if (opening == Opening::make) // in the header from the beginning
    run(fmt::format("PRAGMA application_id = {}", application_id));
  if (opening != Opening::read)
    run("PRAGMA journal_mode = WAL");
  run("PRAGMA synchronous = NORMAL");
  run("PRAGMA foreign_keys = ON");
  run("PRAGMA cell_size_check = ON");
  if (opening == Opening::read)
    run("PRAGMA query_only = ON");
}

Database::~Database() = default;

void Database::defend() {
  sqlite3* database = database_.get();
  sqlite3_extended_result_codes(database, 1);
  sqlite3_busy_timeout(database, busy_milliseconds);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr); // our views are for users
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, most_bytes);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
}

void Database::fail(int code) const {
  const std::string what = database_ ? sqlite3_errmsg(database_.get()) : sqlite3_errstr(code);
  switch (code & 0xff) { // without the extended part
  case SQLITE_CANTOPEN:
    throw UserError(status_usage, fmt::format("{}: {}", file_, what), "faultline campaign init DIR SOURCE... makes it");
  case SQLITE_NOTADB:
  case SQLITE_CORRUPT:
    throw UserError(status_usage, fmt::format("{}: {}", file_, what),
                    "sqlite3 FILE .recover may save what is left of it");
  case SQLITE_FULL:
  case SQLITE_IOERR:
    throw UserError(status_usage, fmt::format("{}: {}", file_, what),
                    "make room on the disk, and run it again: what was stored until then is whole");
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    throw UserError(status_usage, fmt::format("{}: another process is writing to it", file_), "try again");
  case SQLITE_READONLY:
  case SQLITE_PERM:
    throw UserError(status_usage, fmt::format("{}: cannot be written", file_), "check its owner and mode");
  case SQLITE_TOOBIG:
    throw UserError(status_usage, fmt::format("{}: a value in it is too large", file_), "");
  case SQLITE_NOMEM:
    throw std::bad_alloc(); // a limit of the system
  case SQLITE_CONSTRAINT:
  case SQLITE_MISMATCH:
  case SQLITE_ERROR:
  case SQLITE_SCHEMA: // a table or column is missing, or has other rules: the schema or its rows were modified
    throw UserError(status_usage, fmt::format("{}: not a campaign of Faultline: {}", file_, what),
                    "faultline campaign init DIR SOURCE... makes one");
  default:
    throw std::runtime_error(fmt::format("{}: {} ({})", file_, what, code));
  }
}

void Database::script(const std::string& text) {
  if (const int code = sqlite3_exec(database_.get(), text.c_str(), nullptr, nullptr, nullptr); code != SQLITE_OK)
    fail(code);
}

Rows Database::bound(std::string_view text, std::initializer_list<SqlValue> values) {
  sqlite3_stmt* made = nullptr;
  if (const int code = sqlite3_prepare_v2(database_.get(), text.data(), int(text.size()), &made, nullptr);
      code != SQLITE_OK)
    fail(code);
  Rows rows(*this, made);
  int place = 0;
  for (const SqlValue& value : values) {
    ++place;
    if (const auto* whole = std::get_if<int64_t>(&value))
      sqlite3_bind_int64(made, place, *whole);
    else if (const auto* number = std::get_if<double>(&value))
      sqlite3_bind_double(made, place, *number);
    else if (const auto* words = std::get_if<std::string_view>(&value))
      sqlite3_bind_text64(made, place, words->data() ? words->data() : "", words->size(), SQLITE_TRANSIENT,
                          SQLITE_UTF8);
  }
  return rows;
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(database_.get()) == 0; }

int64_t Database::last_row() const { return sqlite3_last_insert_rowid(database_.get()); }

void Database::roll_back() noexcept {
  try {
    run("ROLLBACK");
  } catch (const std::exception&) { // SQLite has rolled back itself, because the disk is full
  }
}

void Database::keep_from_forks() const {
  const std::string name = std::filesystem::path(file_).filename().string() + "-shm";
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t from = 0, to = 0;
    if (line.ends_with("/" + name) && std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR, &from, &to) == 2 &&
        madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTFORK) != 0)
      throw std::runtime_error(fmt::format("{}: its shared memory cannot be kept from workers", file_));
  }
}

bool Rows::next() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW)
    return true;
  if (code != SQLITE_DONE)
    database_.fail(code);
  return false;
}

int64_t Rows::whole(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Rows::number(int column) const { return sqlite3_column_double(statement_.get(), column); }
bool Rows::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

std::string Rows::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return bytes ? std::string(bytes, size_t(sqlite3_column_bytes(statement_.get(), column))) : std::string();
}

Transaction::Transaction(Database& database) : database_(database), within_(database.in_transaction()) {
  database_.run(within_ ? "SAVEPOINT part" : "BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_)
    return;
  try {
    if (within_)
      database_.run("ROLLBACK TO part");
    database_.run(within_ ? "RELEASE part" : "ROLLBACK");
  } catch (const std::exception&) { // SQLite has rolled back itself, because the disk is full
  }
}

Snapshot::~Snapshot() { database_.roll_back(); }

void Transaction::commit() {
  database_.run(within_ ? "RELEASE part" : "COMMIT");
  open_ = false;
}

} // namespace faultline::campaign
