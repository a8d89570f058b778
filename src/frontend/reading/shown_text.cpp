#include "frontend/reading/shown_text.h"

#include <fmt/format.h>

namespace faultline::frontend {

std::string shown(std::string_view text) {
  constexpr size_t most = 60; // enough to find it in the file, and less than a line of the terminal
  std::string clean;
  for (const char c : text.substr(0, most))
    clean += c >= ' ' && c <= '~' ? c : '?';
  return fmt::format("'{}{}'", clean, text.size() > most ? "..." : "");
}

} // namespace faultline::frontend
