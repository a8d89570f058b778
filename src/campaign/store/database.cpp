#include "campaign/store/database.h"

#include "frontend/error.h"

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sqlite3.h>
#include <stdexcept>
#include <sys/mman.h>

namespace faultline::campaign {

using frontend::status_usage;
using frontend::UserError;

namespace {

// A finding with an array of 131,072 inputs and its witnesses has some hundred megabytes of JSON at most.
constexpr int most_bytes = 1 << 28;
constexpr int busy_milliseconds = 10'000; // for a reader's moment, or a checkpoint of `sqlite3`'s

int flags_of(Database::Opening opening) {
  return SQLITE_OPEN_READWRITE | (opening == Database::Opening::make ? SQLITE_OPEN_CREATE : 0);
}

} // namespace

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }
void Rows::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Database::Database(const std::string& file, Opening opening) : file_(file) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &opened, flags_of(opening), nullptr);
  database_.reset(opened);
  if (code != SQLITE_OK)
    fail(code);
  defend();
  // A log that is written ahead lets readers in while a campaign runs. It is synced when it goes into the file, not at
  // each commit: kill -9 loses nothing, and a power cut at most the last jobs, which are run again.
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
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr); // those that there are, are for people
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, most_bytes);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
}

void Database::fail(int code) const {
  const std::string what = database_ ? sqlite3_errmsg(database_.get()) : sqlite3_errstr(code);
  switch (code & 0xff) { // without what the system adds
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
  case SQLITE_ERROR:
  case SQLITE_SCHEMA: // a table or column is missing: somebody has changed it
    throw UserError(status_usage, fmt::format("{}: is no campaign of Faultline: {}", file_, what),
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
  } catch (const std::exception&) { // SQLite has done it itself, as the disk is full
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
  } catch (const std::exception&) { // SQLite has done it itself, as the disk is full
  }
}

Snapshot::~Snapshot() { database_.roll_back(); }

void Transaction::commit() {
  database_.run(within_ ? "RELEASE part" : "COMMIT");
  open_ = false;
}

} // namespace faultline::campaign
