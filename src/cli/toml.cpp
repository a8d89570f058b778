#include "cli/toml.h"

#include "frontend/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string_view>
#include <vector>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr uintmax_t most_bytes = 1 << 20;
// A key of 100,000 parts overflows a stack of 8 MB, one of 80,000 does not (measured). With this many dots in a line,
// and TOML_MAX_NESTED_VALUES, tables are nested 17,000 deep at most. That some dots are in strings does not matter: no
// file that people write comes near.
constexpr size_t most_dots = 1000;

std::string content_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw UserError(status_usage, fmt::format("{}: no such file", path), "check the path; --no-config reads none");
  if (!std::filesystem::is_regular_file(path, error))
    throw UserError(status_usage, fmt::format("{}: is not a file", path), "name a faultline.toml");
  if (const uintmax_t bytes = std::filesystem::file_size(path, error); !error && bytes > most_bytes)
    throw UserError(status_usage, fmt::format("{}: has {} bytes; {} are possible", path, bytes, most_bytes),
                    "is it the file you mean? --config FILE names another, --no-config reads none");
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw UserError(status_usage, fmt::format("{}: {}", path, std::strerror(errno)), "a file you may read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

void limit_depth(const std::string& content, const std::string& path) {
  size_t line = 1, dots = 0;
  for (const char c : content) {
    if (c == '\n') {
      ++line;
      dots = 0;
    } else if (c == '.' && ++dots > most_dots) {
      throw UserError(status_usage, fmt::format("{}:{}:1: has more than {} dots", path, line, most_dots),
                      "a list may stand on several lines");
    }
  }
}

bool violates(std::string_view content) {
  try {
    static_cast<void>(toml::parse(content));
  } catch (const toml::parse_error&) {
  } catch (const Violated&) {
    return true;
  }
  return false;
}

// The library stops at the first mistake, so the lines up to this one are the first that violate what it asserts.
size_t violated_line(const std::string& content) {
  std::vector<size_t> ends; // of lines
  for (size_t i = 0; i < content.size(); ++i)
    if (content[i] == '\n')
      ends.push_back(i + 1);
  const auto line = std::ranges::partition_point(
      ends, [&](size_t end) { return !violates(std::string_view(content).substr(0, end)); });
  return size_t(line - ends.begin()) + 1;
}

} // namespace

toml::table read_toml(const std::string& path) {
  const std::string content = content_of(path);
  limit_depth(content, path);
  try {
    return toml::parse(content);
  } catch (const toml::parse_error& problem) {
    throw UserError(status_usage,
                    fmt::format("{}:{}:{}: {}", path, problem.source().begin.line, problem.source().begin.column,
                                problem.description()),
                    "the form of the file is TOML, https://toml.io");
  } catch (const Violated&) {
    throw UserError(status_usage,
                    fmt::format("{}:{}:1: there is no value where one should be", path, violated_line(content)),
                    "the form of the file is TOML, https://toml.io");
  }
}

} // namespace faultline::cli
