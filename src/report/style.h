// Colours of the terminal report, or none. Reports are functions of a Style, so a test has both without a terminal.
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
  std::string warn(std::string_view text) const { return dressed("1;35", text); } // as compilers have it
  std::string mark(std::string_view text) const { return dressed("1;32", text); } // the caret
  std::string faint(std::string_view text) const { return dressed("2", text); }   // labels

private:
  std::string dressed(std::string_view code, std::string_view text) const {
    return colour_ ? "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m" : std::string(text);
  }
  bool colour_;
};

// Is the stream a terminal that shows colours, and does the user allow them (https://no-color.org)?
Style style_of(int file_descriptor);

// Aligned columns of text, as wide as their widest cell.
enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::left;
  size_t widest = 60; // longer cells are cut, and end in "..."
};

using Row = std::vector<std::string>;

// A title line and one line a row, each indented by two spaces. `emphasised` says which rows are bold.
std::string table(const std::vector<Column>& columns, const std::vector<Row>& rows, const Style& style,
                  const std::vector<bool>& emphasised = {});

// How many columns a terminal needs for UTF-8 text (wide characters count as one).
size_t width(std::string_view text);

// Lines of whole words, of so many columns if no word is longer.
std::vector<std::string> wrapped(std::string_view text, size_t columns);

// At most `widest` columns of the text, the last three of them "..." if something was cut off.
std::string shortened(const std::string& text, size_t widest);

} // namespace faultline::report
