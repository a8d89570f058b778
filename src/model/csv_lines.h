// Comma-separated values, line by line. A cell with a comma, a quote or a line break is in double quotes, with quotes
// doubled (RFC 4180).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::model {

class CsvLines {
public:
  // Called with the line and the reason of an error. It throws.
  using Refuse = std::function<void(size_t line, const std::string& why)>;
  CsvLines(std::string_view text, Refuse refuse) : text_(text), refuse_(std::move(refuse)) {}

  bool at_end() const { return next_ == text_.size(); }
  // The first line of the cells read last, or of the line skipped last; 0 before the first one.
  size_t line() const { return line_; }
  // True if the next line begins with one of these characters.
  bool begins_with_one_of(std::string_view characters) const;

  std::vector<std::string> cells();
  void skip();

private:
  bool take(char wanted);
  std::string plain();
  std::string quoted();
  void refuse(const std::string& why) const { refuse_(line_, why); }

  std::string_view text_;
  Refuse refuse_;
  size_t next_ = 0;
  size_t line_ = 0, lines_ = 0; // lines_: the number of lines read so far
};

// Returns one line with its line break. A first cell that begins like a comment (#) is quoted. Spreadsheets would take
// a text that begins with = + - or @ for a formula and compute it: an apostrophe before it says that it is text, and
// CsvLines removes it. Numbers stay as they are.
std::string csv_line(const std::vector<std::string>& cells);

// Words of a command, as a user would paste them into a shell.

// Returns the word as a POSIX shell reads it back, quoted only if necessary.
std::string shell_quoted(const std::string& word);
std::string shell_line(const std::vector<std::string>& words);

} // namespace faultline::model
