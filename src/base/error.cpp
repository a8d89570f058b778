#include "base/error.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <new>
#include <system_error>
#include <tuple>

namespace faultline::base {

namespace {

std::filesystem::path& display_folder() { // empty for the current one
  static std::filesystem::path folder;
  return folder;
}

std::string in_lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

// Counts missing, extra, replaced and swapped letters (optimal string alignment). Three rows of the table are kept.
size_t distance(const std::string& a, const std::string& b) {
  std::vector<size_t> last, row(b.size() + 1), next(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], last[j - 2] + 1);
    }
    last = row;
    std::swap(row, next);
  }
  return row[b.size()];
}

} // namespace

void show_paths_from(const std::string& folder) { display_folder() = folder; }

std::string shown_path(const std::string& directory, const std::string& file) {
  std::filesystem::path path(file);
  if (path.is_relative() && !directory.empty())
    path = std::filesystem::path(directory) / path;
  path = path.lexically_normal();
  std::error_code ignored;
  const std::filesystem::path& base = display_folder();
  auto relative = path.lexically_relative(base.empty() ? std::filesystem::current_path(ignored) : base);
  if (!relative.empty() && relative.begin()->string() != "..")
    return relative.string();
  return path.string();
}

UserError unexpected(const std::exception& problem) {
  const auto* of_system = dynamic_cast<const std::system_error*>(&problem);
  const int error = of_system ? of_system->code().value() : 0;
  if (dynamic_cast<const std::bad_alloc*>(&problem) || error == ENOMEM)
    return {status_inconclusive, "out of memory", "ulimit -v shows a limit; fewer or smaller files need less"};
  if (error == EMFILE || error == ENFILE)
    return {status_inconclusive, fmt::format("too many open files: {}", problem.what()), "ulimit -n shows the limit"};
  if (error == EAGAIN)
    return {status_inconclusive, fmt::format("no process can be started: {}", problem.what()),
            "ulimit -u shows the limit on processes"};
  if (error == EFBIG)
    return {status_inconclusive, fmt::format("a file is too large: {}", problem.what()), "ulimit -f shows the limit"};
  if (std::error_code lost; std::filesystem::current_path(lost).empty())
    return {status_usage, fmt::format("the current folder cannot be found: {}", lost.message()),
            "cd to a folder that exists"};
  return {status_internal, fmt::format("internal error: {}, please report", problem.what())};
}

std::string shown(std::string_view text) {
  constexpr size_t most = 60; // enough to find it in the file, and less than a line of the terminal
  std::string clean;
  for (const char c : text.substr(0, most))
    clean += c >= ' ' && c <= '~' ? c : '?';
  return fmt::format("'{}{}'", clean, text.size() > most ? "..." : "");
}

std::vector<std::string> nearest(const std::string& wrong, const std::vector<std::string>& names, size_t most) {
  const std::string word = wrong.substr(0, 100), lower = in_lower_case(word);
  // One letter in three, close to what compilers allow; a name with no letter in common is unrelated.
  const size_t farthest = word.empty() ? 0 : std::min(std::max<size_t>(1, (word.size() + 1) / 3), word.size() - 1);
  std::vector<std::tuple<size_t, size_t, std::string>> ranked; // by the letters, then by their case
  for (const std::string& name : names) {
    const bool begins = word.size() >= 3 && name.starts_with(word);
    const size_t far = begins ? 0 : distance(lower, in_lower_case(name));
    if (far <= farthest && !word.empty())
      ranked.emplace_back(far, distance(word, name), name);
  }
  std::ranges::sort(ranked);
  std::vector<std::string> result;
  constexpr size_t much_further = 1; // letters: names further away than this are unrelated
  for (const auto& [far, exactly, name] : ranked)
    if (result.size() < most && far <= std::get<0>(ranked[0]) + much_further)
      result.push_back(name);
  return result;
}

} // namespace faultline::base
