// Colours of the terminal report, or none. Reports are functions of a Style, so tests need no terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace faultline::report {

class Style {
public:
  explicit Style(bool colour = false) : colour_(colour) {}

  std::string bold(std::string_view text) const { return dressed("1", text); }
  std::string bad(std::string_view text) const { return dressed("1;31", text); }  // a finding's kind
  std::string warn(std::string_view text) const { return dressed("1;35", text); } // the colour that compilers use
  std::string mark(std::string_view text) const { return dressed("1;32", text); } // the caret
  std::string faint(std::string_view text) const { return dressed("2", text); }   // labels

private:
  std::string dressed(std::string_view code, std::string_view text) const {
    return colour_ ? "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m" : std::string(text);
  }
  bool colour_;
};

// True if the stream is a terminal with colours and the user allows them (https://no-color.org).
Style style_of(int file_descriptor);

// Aligned columns of text, as wide as their widest cell.
enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::left;
  size_t widest = 60; // longer cells are shortened, and end in "..."
};

using Row = std::vector<std::string>;

// Returns a title line and one line per row, each indented by two spaces. Cells become printable (base/text.h). Rows in
// `emphasised` are bold.
std::string table(const std::vector<Column>& columns, const std::vector<Row>& rows, const Style& style,
                  const std::vector<bool>& emphasised = {});

// Returns the number of columns of UTF-8 text on a terminal (wide characters count as one).
size_t width(std::string_view text);

// Splits text into lines of whole words. A line is longer than `columns` only for a longer word.
std::vector<std::string> wrapped(std::string_view text, size_t columns);

// Returns at most `widest` columns of the text. The last three are "..." if it was shortened.
std::string shortened(const std::string& text, size_t widest);

} // namespace faultline::report
