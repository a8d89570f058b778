// Comma-separated values: a line of titles, then one line a row. A cell that holds a comma, a quote or a line break
// stands in double quotes, quotes doubled (RFC 4180).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace faultline::suite {

struct Csv {
  std::string name; // for messages
  std::vector<std::string> titles;
  std::vector<std::vector<std::string>> rows; // each as long as the titles

  // Throws frontend::UserError if there is no such title.
  size_t column(std::string_view title) const;
};

// Throws frontend::UserError that says where: no titles, a quote that is not closed, a row too long or too short.
Csv parse_csv(std::string_view text, const std::string& name);

// One line, with its line break.
std::string csv_line(const std::vector<std::string>& cells);

} // namespace faultline::suite
