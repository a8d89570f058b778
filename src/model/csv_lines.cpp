#include "model/csv_lines.h"

#include "base/text.h"
#include "numeric/decimal.h"

#include <algorithm>

namespace faultline::model {

std::string shell_quoted(const std::string& word) {
  const auto harmless = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-+=./:,%@").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, harmless))
    return word;
  std::string quoted = "'";
  for (const char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words)
    line += (line.empty() ? "" : " ") + shell_quoted(word);
  return line;
}

namespace {

constexpr size_t most_in_line = 256; // per line, to limit the memory for a file of commas: tables have about 30

// True for texts that a spreadsheet computes.
bool is_formula(const std::string& cell) {
  return cell.size() > 1 && std::string_view("=+-@").find(cell.front()) != std::string_view::npos &&
         !numeric::parse_long_double(cell);
}

// Removes the mark of csv_line.
std::string without_mark(std::string cell) {
  if (cell.starts_with('\'') && is_formula(cell.substr(1)))
    cell.erase(0, 1);
  return cell;
}

} // namespace

bool CsvLines::begins_with_one_of(std::string_view characters) const {
  return !at_end() && characters.find(text_[next_]) != std::string_view::npos;
}

std::vector<std::string> CsvLines::cells() {
  line_ = ++lines_;
  std::vector<std::string> cells;
  do {
    if (cells.size() == most_in_line)
      refuse("has too many columns");
    cells.push_back(without_mark(at_end() || text_[next_] != '"' ? plain() : quoted()));
  } while (take(','));
  take('\r');
  if (!at_end() && !take('\n'))
    refuse("text after a closing quote");
  return cells;
}

void CsvLines::skip() {
  line_ = ++lines_;
  next_ = std::min(text_.find('\n', next_), text_.size() - 1) + 1;
}

bool CsvLines::take(char wanted) {
  const bool there = !at_end() && text_[next_] == wanted;
  next_ += there;
  return there;
}

std::string CsvLines::plain() {
  const size_t begin = next_;
  next_ = std::min(text_.find_first_of(",\r\n", next_), text_.size());
  return std::string(text_.substr(begin, next_ - begin));
}

std::string CsvLines::quoted() {
  std::string cell;
  for (++next_; !at_end(); ++next_) {
    lines_ += text_[next_] == '\n';
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
  return cell;
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    const std::string cell = (is_formula(cells[i]) ? "'" : "") + base::printable(cells[i]);
    line += i > 0 ? "," : "";
    if (cell.find_first_of(",\"") == std::string::npos && !(i == 0 && cell.starts_with('#'))) {
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

} // namespace faultline::model
