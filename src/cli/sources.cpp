#include "cli/sources.h"

#include "frontend/capture/section.h"
#include "frontend/compile.h"
#include "frontend/compiling/compilation_database.h"
#include "frontend/error.h"
#include "frontend/names/nearest.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <ranges>
#include <set>

namespace faultline::cli {

using frontend::status_usage;
using frontend::UserError;

namespace {

namespace fs = std::filesystem;

bool is_source(const std::string& file) {
  switch (frontend::language_of(file)) {
  case frontend::Language::c:
  case frontend::Language::cxx:
  case frontend::Language::fortran:
  case frontend::Language::fpcore:
    return true;
  default: // bitcode beside its source would define everything twice
    return false;
  }
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (std::error_code ignored; entry->is_regular_file(ignored))
      files.push_back(entry->path().string());
  if (error)
    throw UserError(status_usage, fmt::format("{}: {}", folder.string(), error.message()), "a folder you may read");
  std::ranges::sort(files);
  return files;
}

[[noreturn]] void no_such_file(const std::string& file) {
  std::map<std::string, std::vector<std::string>> others; // by the name without the ending, which all have in common
  const fs::path folder = fs::path(file).parent_path();
  std::error_code error;
  if (fs::is_directory(folder.empty() ? "." : folder, error))
    for (const std::string& other : files_in(folder.empty() ? "." : folder))
      if (frontend::language_of(other) != frontend::Language::unknown)
        others[fs::path(other).stem().string()].push_back(folder.empty() ? fs::path(other).filename().string() : other);
  std::vector<std::string> stems, close;
  std::ranges::copy(others | std::views::keys, std::back_inserter(stems));
  for (const std::string& stem : frontend::nearest(fs::path(file).stem().string(), stems))
    std::ranges::copy(others[stem], std::back_inserter(close));
  throw UserError(status_usage, fmt::format("{}: no such file", file),
                  close.empty() ? "check the path" : fmt::format("{}", fmt::join(close, ", ")));
}

// What libtool leaves beside the sources are scripts and descriptions; what it has built lies in .libs.
void check_libtool(const std::string& file) {
  if (frontend::language_of(file) != frontend::Language::unknown)
    return;
  const fs::path path = file;
  for (const char* ending : {"", ".a", ".so"}) {
    const fs::path built =
        path.parent_path() / ".libs" / (*ending ? path.stem().string() + ending : path.filename().string());
    if ((*ending == 0 || path.extension() == ".la") && frontend::is_machine_code(built.string()) &&
        !frontend::is_machine_code(file))
      throw UserError(status_usage, fmt::format("{}: is libtool's, and has no code", file), built.string());
  }
}

std::vector<std::string> each_once(const std::vector<std::string>& files) {
  std::vector<std::string> distinct;
  std::set<fs::path> seen;
  for (const std::string& file : files)
    if (std::error_code ignored; seen.insert(fs::weakly_canonical(file, ignored)).second)
      distinct.push_back(file);
  return distinct;
}

} // namespace

std::vector<std::string> source_files_of(const std::vector<std::string>& words, const std::string& database) {
  if (words.empty() && !database.empty())
    return frontend::files_in_database(database);
  if (words.empty())
    throw UserError(
        status_usage, "no source file given",
        "name a .c, .cpp, .f90, .fpcore, .ll or .bc file; -p BUILD alone takes all of a compilation database");
  std::vector<std::string> files;
  for (const std::string& word : words) {
    std::error_code error;
    if (!fs::exists(word, error))
      no_such_file(word);
    if (!fs::is_directory(word, error)) {
      check_libtool(word);
      files.push_back(word);
      continue;
    }
    std::vector<std::string> inside = files_in(word);
    std::erase_if(inside, [](const std::string& file) { return !is_source(file); });
    if (inside.empty())
      throw UserError(status_usage, fmt::format("{}: there is no C, C++, Fortran or FPCore file in this folder", word),
                      "name files, or the folder that has them");
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return each_once(files);
}

} // namespace faultline::cli
