// The parts of SQLite that the store needs: a connection, statements and transactions. Only database.cpp includes the
// library.
//
// A database is untrusted: it is opened with SQLite's defences on (no triggers, no views, no trusted schema, no
// attached files, bounded values), and callers check the values that they read.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

struct sqlite3;
struct sqlite3_stmt;

namespace faultline::campaign {

// A value that is bound to a ?. Texts must live until the statement has been stepped.
using SqlValue = std::variant<std::nullptr_t, int64_t, double, std::string_view>;
inline SqlValue sql(std::optional<int64_t> value) { return value ? SqlValue(*value) : SqlValue(nullptr); }
inline SqlValue sql(uint64_t value) { return int64_t(value); } // 64 bits, read back unchanged
inline SqlValue sql(int64_t value) { return value; }
inline SqlValue sql(int value) { return int64_t(value); }
inline SqlValue sql(bool value) { return int64_t(value); }
inline SqlValue sql(double value) { return value; }
inline SqlValue sql(std::optional<double> value) { return value ? SqlValue(*value) : SqlValue(nullptr); }
inline SqlValue sql(std::string_view text) { return text; }
inline SqlValue sql(const std::string& text) { return std::string_view(text); }
inline SqlValue sql(const char* text) { return std::string_view(text); }

// Iterates over the rows of an answer. Columns count from 0.
class Rows {
public:
  bool next(); // false if there are no more
  int64_t whole(int column) const;
  double number(int column) const;
  std::string text(int column) const;
  bool is_null(int column) const;

private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Rows(class Database& database, sqlite3_stmt* statement) : database_(database), statement_(statement) {}
  class Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
public:
  enum class Opening : uint8_t { make, change, read };
  // Like all members, throws UserError if the file does not exist, is no database or is damaged, or if the disk is
  // full.
  Database(const std::string& file, Opening opening);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Runs several statements without values, such as a schema.
  void script(const std::string& text);

  // Runs one statement and ignores its rows.
  template <class... Values> void run(std::string_view text, const Values&... values) {
    Rows rows = ask(text, values...);
    while (rows.next()) {
    }
  }
  template <class... Values> Rows ask(std::string_view text, const Values&... values) {
    return bound(text, {sql(values)...});
  }
  // Returns the first column of the first row, or 0.
  template <class... Values> int64_t whole(std::string_view text, const Values&... values) {
    Rows rows = ask(text, values...);
    return rows.next() ? rows.whole(0) : 0;
  }

  int64_t last_row() const; // the last one inserted
  bool in_transaction() const;

  // Keeps SQLite's shared memory, the index of its log, from forks of this process, which run code under test. Must be
  // called after writing and before a fork.
  void keep_from_forks() const;

  const std::string& file() const { return file_; }

  void roll_back() noexcept; // for the destructors of Transaction and Snapshot

private:
  friend class Rows;
  Rows bound(std::string_view text, std::initializer_list<SqlValue> values);
  [[noreturn]] void fail(int code) const;
  void defend();

  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::string file_;
  std::unique_ptr<sqlite3, Close> database_;
};

// A transaction from construction to commit() or, without a commit, rolled back by the destructor. A nested one is part
// of the outer one: its commit takes effect with the outer commit.
class Transaction {
public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

private:
  Database& database_;
  const bool within_; // nested in another one
  bool open_ = true;
};

// All reads during its lifetime see the same state, whatever a run writes meanwhile.
class Snapshot {
public:
  explicit Snapshot(Database& database) : database_(database) { database_.run("BEGIN"); }
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

private:
  Database& database_;
};

// The tables of a campaign's store, and the migration from earlier versions (docs/campaigns.md).
inline constexpr int64_t application_id = 0x464c544e; // "FLTN": identifies a campaign, also for `file`
// The version of the current tables: the number of migration steps from an empty database.
int64_t schema_version();

// Runs the migration steps that the database lacks, all or none of them. Throws UserError if it is no campaign, or from
// a later version of Faultline.
void bring_up_to_date(Database& database);

} // namespace faultline::campaign
