#include "finding/shell.h"

#include <algorithm>
#include <string_view>

namespace faultline::finding {

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

} // namespace faultline::finding
