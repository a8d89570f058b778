// SQLite, as far as the store needs it: a connection, statements and transactions. The library is known to database.cpp
// alone.
//
// A database may be anybody's file: it is opened with SQLite's defences up (no triggers, no views, no trusted schema,
// no attached files, bounded values), and what it says is checked by those who ask.
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

// What is bound to a ?. Texts live until the statement has been stepped.
using SqlValue = std::variant<std::nullptr_t, int64_t, double, std::string_view>;
inline SqlValue sql(std::optional<int64_t> value) { return value ? SqlValue(*value) : SqlValue(nullptr); }
inline SqlValue sql(uint64_t value) { return int64_t(value); } // of 64 bits: read back as the same
inline SqlValue sql(int64_t value) { return value; }
inline SqlValue sql(int value) { return int64_t(value); }
inline SqlValue sql(bool value) { return int64_t(value); }
inline SqlValue sql(double value) { return value; }
inline SqlValue sql(std::optional<double> value) { return value ? SqlValue(*value) : SqlValue(nullptr); }
inline SqlValue sql(std::string_view text) { return text; }
inline SqlValue sql(const std::string& text) { return std::string_view(text); }
inline SqlValue sql(const char* text) { return std::string_view(text); }

// The rows of an answer, one after the other. Columns count from 0.
class Rows {
public:
  bool next(); // false: there are no more
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
  // Throws UserError, as all of these: the file is not there, is no database, is damaged, or the disk is full.
  Database(const std::string& file, Opening opening);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Several statements, without values: a schema.
  void script(const std::string& text);

  // One statement that answers nothing.
  template <class... Values>
  void run(std::string_view text, const Values&... values) {
    Rows rows = ask(text, values...);
    while (rows.next()) {
    }
  }
  template <class... Values>
  Rows ask(std::string_view text, const Values&... values) {
    return bound(text, {sql(values)...});
  }
  // The first column of the first row.
  template <class... Values>
  int64_t whole(std::string_view text, const Values&... values) {
    Rows rows = ask(text, values...);
    return rows.next() ? rows.whole(0) : 0;
  }

  int64_t last_row() const; // that was inserted
  bool in_transaction() const;

  // SQLite shares an index of its log between processes as memory. Forks of this process run other people's code, and
  // must not have it. To be called after writing, and before a fork.
  void keep_from_forks() const;

  const std::string& file() const { return file_; }

  void roll_back() noexcept; // for Transaction and Snapshot, when they end

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

// All that happens while it lives happens, or, if it is not committed, nothing of it. One within another is part of it:
// what it takes back the other does not see, what it commits becomes true with the other.
class Transaction {
public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

private:
  Database& database_;
  const bool within_; // another one
  bool open_ = true;
};

// All that is asked while it lives is of one moment, whatever a run writes meanwhile.
class Snapshot {
public:
  explicit Snapshot(Database& database) : database_(database) { database_.run("BEGIN"); }
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

private:
  Database& database_;
};

// The tables of a campaign's store, and how those of earlier versions become today's (docs/campaigns.md).
inline constexpr int64_t application_id = 0x464c544e; // "FLTN": by it `file` and we know a campaign

// Of these tables: the number of steps that were taken from none.
int64_t schema_version();

// Takes the steps that the database lacks, all or none of them. Throws UserError: it is no campaign, or of a later
// version of Faultline.
void bring_up_to_date(Database& database);

} // namespace faultline::campaign
