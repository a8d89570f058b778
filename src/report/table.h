// Aligned columns of text, as wide as their widest cell.
#pragma once

#include "report/style.h"

#include <string>
#include <vector>

namespace faultline::report {

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
