// A table as comma-separated values (finding/csv/csv_lines.h): a line of titles, then one line a row.
#pragma once

#include "finding/csv/csv_lines.h"

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

using finding::csv_line;

} // namespace faultline::suite
