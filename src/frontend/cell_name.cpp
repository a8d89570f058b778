#include "frontend/cell_name.h"

#include <charconv>
#include <fmt/format.h>

namespace faultline::frontend {

std::string cell_name(const std::string& array, size_t index) { return fmt::format("{}[{}]", array, index); }

std::optional<ArrayCell> array_cell(const std::string& name) {
  const size_t open = name.rfind('[');
  if (open == std::string::npos || open == 0 || !name.ends_with(']'))
    return {};
  size_t index = 0;
  const auto [stop, error] = std::from_chars(name.data() + open + 1, name.data() + name.size() - 1, index);
  std::string array = name.substr(0, open);
  if (error != std::errc() || name != cell_name(array, index)) // without leading zeros
    return {};
  return ArrayCell{std::move(array), index};
}

std::string array_of(const std::string& name) { return name.substr(0, name.rfind('[')); }

} // namespace faultline::frontend
