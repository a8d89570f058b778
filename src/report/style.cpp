#include "report/style.h"

#include "base/text.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace faultline::report {

namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::string padded(const std::string& text, size_t columns, Align align) {
  const std::string blanks(columns - std::min(columns, width(text)), ' ');
  return align == Align::left ? text + blanks : blanks + text;
}

std::string line_of(const std::vector<Column>& columns, const std::vector<size_t>& widths, const Row& cells) {
  std::string line;
  for (size_t i = 0; i < columns.size(); ++i)
    line += "  " + padded(cells[i], widths[i], columns[i].align);
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

} // namespace

size_t width(std::string_view text) { return std::ranges::count_if(text, begins_character); }

std::vector<std::string> wrapped(std::string_view text, size_t columns) {
  std::vector<std::string> lines(1);
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word(text.substr(begin, end - begin));
    if (!lines.back().empty() && width(lines.back()) + 1 + width(word) > columns)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return lines;
}

std::string shortened(const std::string& text, size_t widest) {
  if (width(text) <= widest)
    return text;
  const size_t kept = widest < 3 ? 0 : widest - 3;
  size_t end = 0;
  for (size_t columns = 0; end < text.size(); ++end)
    if (begins_character(text[end]) && ++columns > kept)
      break;
  return text.substr(0, end) + "...";
}

std::string table(const std::vector<Column>& columns, const std::vector<Row>& rows, const Style& style,
                  const std::vector<bool>& emphasised) {
  Row titles;
  std::vector<size_t> widths;
  for (const Column& column : columns) {
    titles.push_back(column.title);
    widths.push_back(width(column.title));
  }
  std::vector<Row> cut = rows;
  for (Row& row : cut) {
    row.resize(columns.size());
    for (size_t i = 0; i < columns.size(); ++i) {
      row[i] = shortened(base::printable(row[i]), columns[i].widest);
      widths[i] = std::max(widths[i], width(row[i]));
    }
  }
  std::string text = style.faint(line_of(columns, widths, titles)) + "\n";
  for (size_t i = 0; i < cut.size(); ++i) {
    const std::string line = line_of(columns, widths, cut[i]);
    text += (i < emphasised.size() && emphasised[i] ? style.bold(line) : line) + "\n";
  }
  return text;
}

Style style_of(int file_descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool allowed = !(no_colour && *no_colour) && !(terminal && std::string_view(terminal) == "dumb");
  return Style(allowed && isatty(file_descriptor));
}

} // namespace faultline::report
