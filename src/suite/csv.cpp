#include "suite/csv.h"

#include "frontend/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::suite {

using frontend::status_usage;
using frontend::UserError;

namespace {

class Parser {
public:
  Parser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  bool at_end() const { return next_ == text_.size(); }

  std::vector<std::string> line() {
    ++line_;
    std::vector<std::string> cells;
    do
      cells.push_back(at_end() || text_[next_] != '"' ? plain() : quoted());
    while (take(','));
    take('\r');
    if (!at_end() && !take('\n'))
      refuse("text after a closing quote");
    return cells;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw UserError(status_usage, fmt::format("{}:{}: {}", name_, line_, why),
                    "cells with commas or quotes stand in double quotes");
  }

private:
  bool take(char wanted) {
    const bool there = !at_end() && text_[next_] == wanted;
    next_ += there;
    return there;
  }

  std::string plain() {
    const size_t begin = next_;
    next_ = std::min(text_.find_first_of(",\r\n", next_), text_.size());
    return std::string(text_.substr(begin, next_ - begin));
  }

  std::string quoted() {
    std::string cell;
    for (++next_; !at_end(); ++next_) {
      if (text_[next_] != '"') {
        cell += text_[next_];
      } else if (next_ + 1 < text_.size() && text_[next_ + 1] == '"') {
        cell += '"';
        ++next_;
      } else {
        ++next_;
        return cell;
      }
    }
    refuse("a quote is not closed");
  }

  std::string_view text_;
  const std::string& name_;
  size_t next_ = 0;
  size_t line_ = 0;
};

} // namespace

size_t Csv::column(std::string_view title) const {
  const auto found = std::ranges::find(titles, title);
  if (found == titles.end())
    throw UserError(status_usage, fmt::format("{}: there is no column '{}'", name, title));
  return size_t(found - titles.begin());
}

Csv parse_csv(std::string_view text, const std::string& name) {
  Csv csv;
  csv.name = name;
  Parser parser(text, name);
  if (parser.at_end())
    parser.refuse("there are no titles");
  csv.titles = parser.line();
  while (!parser.at_end()) {
    csv.rows.push_back(parser.line());
    if (csv.rows.back().size() != csv.titles.size())
      parser.refuse(fmt::format("{} cells under {} titles", csv.rows.back().size(), csv.titles.size()));
  }
  return csv;
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) {
    if (!line.empty() || &cell != &cells.front())
      line += ',';
    if (cell.find_first_of(",\"\r\n") == std::string::npos) {
      line += cell;
      continue;
    }
    line += '"';
    for (const char c : cell)
      line += c == '"' ? std::string("\"\"") : std::string(1, c);
    line += '"';
  }
  return line + "\n";
}

} // namespace faultline::suite
