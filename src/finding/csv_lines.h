// Comma-separated values, line by line. A cell that holds a comma, a quote or a line break stands in double quotes,
// quotes doubled (RFC 4180).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::finding {

class CsvLines {
public:
  // Told where something is wrong, and what; it throws.
  using Refuse = std::function<void(size_t line, const std::string& why)>;
  CsvLines(std::string_view text, Refuse refuse) : text_(text), refuse_(std::move(refuse)) {}

  bool at_end() const { return next_ == text_.size(); }
  // Where the cells that were read last begin, or the line that was skipped; 0: nothing was.
  size_t line() const { return line_; }
  // With which character the next line begins, if it is one of these.
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
  size_t line_ = 0, lines_ = 0; // lines_: that were read in all
};

// One line, with its line break. A first cell that begins like a remark (#) is quoted, too.
std::string csv_line(const std::vector<std::string>& cells);

// Words of a command, as a user would paste them into a shell.

// The word as a POSIX shell reads it back: quoted only if it has to be.
std::string shell_quoted(const std::string& word);
std::string shell_line(const std::vector<std::string>& words);

} // namespace faultline::finding
