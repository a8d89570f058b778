#include "report/excerpt.h"

#include "report/table.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <memory>
#include <vector>

namespace faultline::report {
namespace {

constexpr size_t widest_line = 160;
constexpr size_t largest_file = 64u << 20;

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  if (std::error_code error; !std::filesystem::is_regular_file(file, error))
    return lines; // a pipe would keep us waiting
  std::ifstream stream(file);
  size_t bytes = 0;
  for (std::string line; std::getline(stream, line) && bytes < largest_file; bytes += line.size() + 1)
    lines.push_back(line);
  return lines;
}

} // namespace

SourceLine source_files() {
  auto files = std::make_shared<std::map<std::string, std::vector<std::string>>>();
  return [files](const std::string& file, int line) -> std::optional<std::string> {
    auto entry = files->find(file);
    if (entry == files->end())
      entry = files->emplace(file, lines_of(file)).first;
    if (line < 1 || static_cast<size_t>(line) > entry->second.size())
      return {};
    return entry->second[line - 1];
  };
}

std::string printable(std::string_view text) {
  std::string clean;
  for (const char c : text)
    if (c == '\t')
      clean += ' ';
    else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F)
      clean += c;
    else if (c != '\r')
      clean += '?';
  return clean;
}

std::string excerpt(const SourceLine& source, const std::string& file, int line, int column, const Style& style) {
  const std::optional<std::string> found = source ? source(file, line) : std::nullopt;
  if (!found)
    return {};
  std::string text = fmt::format("{:5} | {}\n", line, shortened(printable(*found), widest_line));
  const auto at = static_cast<size_t>(column);
  if (column >= 1 && at <= found->size() && at <= widest_line - 3) // the compiler counts bytes, the terminal characters
    text += fmt::format("      | {}{}\n", std::string(width(found->substr(0, at - 1)), ' '), style.mark("^"));
  return text;
}

} // namespace faultline::report
