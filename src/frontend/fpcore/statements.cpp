#include "frontend/fpcore/statements.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::frontend::fpcore {

using numeric::Format;

const char* c_type(Format format) { return numeric::info(format).c_type; }

const char* c_suffix(Format format) { return numeric::info(format).libm_suffix; }

Format wider(Format a, Format b) { return std::max(a, b); } // they are in the order of their widths

std::string placed(const Place& place, const std::string& operation) {
  constexpr int last_column = 2000; // a line that is longer has its columns wrong, and the text its size
  return fmt::format("\n#line {}\n{:{}}{}", place.line, "", std::min(place.column, last_column) - 1, operation);
}

void Statements::at(const Place& place) { add(placed(place, "")); }

Value Statements::assign(const Value& type, const std::string& before, const Place& place, const std::string& operation,
                         const std::string& after) {
  Value value{name(), type.is_truth, type.format};
  add(fmt::format("{} {} = {}{}{};\n", c_type(type), value.text, before, placed(place, operation), after));
  return value;
}

Value Statements::declare(const Value& type) {
  Value value{name(), type.is_truth, type.format};
  add(fmt::format("{} {};\n", c_type(type), value.text));
  return value;
}

} // namespace faultline::frontend::fpcore
