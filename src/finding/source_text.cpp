#include "finding/source_text.h"

#include <filesystem>
#include <fstream>

namespace faultline::finding {
namespace {

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

const std::vector<std::string>& SourceText::lines(const std::string& file) {
  const auto entry = files_.find(file);
  return entry != files_.end() ? entry->second : files_.emplace(file, lines_of(file)).first->second;
}

const std::string* SourceText::line(const std::string& file, int number) {
  const std::vector<std::string>& all = lines(file);
  return number < 1 || size_t(number) > all.size() ? nullptr : &all[size_t(number) - 1];
}

} // namespace faultline::finding
