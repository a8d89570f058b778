#include "program/compiling/compilation_database.h"

#include "base/error.h"
#include "base/files.h"
#include "program/compile.h"
#include "program/sources.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

namespace faultline::program {
namespace {

namespace fs = std::filesystem;

// Splits a command line like a POSIX shell, without expansion.
std::vector<std::string> split(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool any = false;
  char quote = 0;
  for (size_t i = 0; i < command.size(); ++i) {
    char c = command[i];
    if (quote) {
      if (c == quote)
        quote = 0;
      else if (c == '\\' && quote == '"' && i + 1 < command.size() && std::strchr("\\\"$`\n", command[i + 1]))
        word += command[++i];
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      any = true;
    } else if (c == '\\' && i + 1 < command.size()) {
      word += command[++i];
      any = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (any || !word.empty())
        words.push_back(word);
      word.clear();
      any = false;
    } else {
      word += c;
    }
  }
  if (any || !word.empty())
    words.push_back(word);
  return words;
}

// True for programs that precede the compiler's name and run it.
bool is_launcher(const std::string& word) {
  constexpr std::string_view launchers[] = {"ccache", "sccache", "distcc", "icecc"};
  return std::ranges::find(launchers, fs::path(word).filename().string()) != std::end(launchers);
}

// Returns the words of a recorded compiler call without the compiler and the file.
std::vector<std::string> flags_of(const std::vector<std::string>& call, const fs::path& file,
                                  const fs::path& directory) {
  const auto names_file = [&](const std::string& word) {
    std::error_code ignored;
    const fs::path path = fs::path(word).is_absolute() ? fs::path(word) : directory / word;
    return !word.starts_with("-") && fs::weakly_canonical(path, ignored) == file;
  };
  std::vector<std::string> flags;
  for (size_t i = !call.empty() && is_launcher(call[0]) ? 2 : 1; i < call.size(); ++i) {
    if (call[i] == "-o" && i + 1 < call.size()) // its value may equal the file's name
      ++i;
    else if (call[i] != "--" && !names_file(call[i]))
      flags.push_back(call[i]);
  }
  return flags;
}

std::vector<std::string> call_in(const nlohmann::json& command) {
  std::vector<std::string> call;
  if (command.contains("arguments") && command["arguments"].is_array())
    for (const auto& argument : command["arguments"])
      call.push_back(argument.is_string() ? argument.get<std::string>() : "");
  else if (command.contains("command") && command["command"].is_string())
    call = split(command["command"].get<std::string>());
  return call;
}

// Calls `take` for each command and keeps none: there may be a hundred thousand.
void read_commands(const fs::path& path, const std::function<void(const nlohmann::json&)>& take) {
  using Event = nlohmann::json::parse_event_t;
  constexpr base::ReadLimits limits{.all = uint64_t(4) << 30, .between = uint64_t(64) << 20};
  base::BoundedStream bounded(path.string(), limits,
                              "-p takes a compile_commands.json, or the folder it lies in (cmake "
                              "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON writes one; bear -- make, too)");
  const auto look = [&](int depth, Event event, const nlohmann::json& parsed) {
    if (depth != 1 || event != Event::object_end)
      return true;
    take(parsed);
    bounded.mark_progress();
    return false;
  };
  if (!nlohmann::json::parse(bounded.stream(), look, false).is_array())
    throw base::UserError(base::status_usage, fmt::format("{}: not a compilation database", path.string()),
                          "it should be a JSON list of objects");
}

fs::path directory_of(const nlohmann::json& command) {
  const bool has_directory = command.contains("directory") && command["directory"].is_string();
  return has_directory ? command["directory"].get<std::string>() : ".";
}

// Returns the file that the command compiles; empty if it has none.
fs::path file_of(const nlohmann::json& command) {
  if (!command.contains("file") || !command["file"].is_string())
    return {};
  const fs::path name = command["file"].get<std::string>();
  std::error_code ignored;
  return fs::weakly_canonical(name.is_absolute() ? name : directory_of(command) / name, ignored);
}

// The number of steps up and down between two folders.
size_t distance(const fs::path& one, const fs::path& other) {
  const auto [left, right] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  return size_t(std::distance(left, one.end()) + std::distance(right, other.end()));
}

bool is_compiled(Language language) {
  return language == Language::c || language == Language::cxx || language == Language::fortran;
}

} // namespace

fs::path database_file(const fs::path& database) {
  return fs::is_directory(database) ? database / "compile_commands.json" : database;
}

CompilationDatabase::CompilationDatabase(const std::string& database, const std::vector<std::string>& files,
                                         Trust trust, const ProjectFolders& project)
    : path_(database_file(database)), trust_(trust), project_(project) {
  project_.add(path_.string());
  constexpr size_t most_neighbours = 10'000; // folders: more than any known project has
  std::set<fs::path> wanted;
  for (const std::string& file : files)
    wanted.insert(fs::weakly_canonical(file));
  std::set<std::pair<fs::path, Language>> seen;
  read_commands(path_, [&](const nlohmann::json& command) {
    const fs::path file = file_of(command);
    const bool is_wanted = wanted.contains(file) && !listed_.contains(file);
    const std::vector<std::string> call = call_in(command);
    const bool stands_in = seen.size() < most_neighbours && !call.empty() && is_compiled(language_of(file.string())) &&
                           seen.insert({file.parent_path(), language_of(file.string())}).second;
    if (!is_wanted && !stands_in)
      return;
    const Command kept{file, directory_of(command), call};
    if (is_wanted)
      listed_.emplace(file, kept);
    if (stands_in)
      neighbours_.push_back(kept);
  });
}

const CompilationDatabase::Command* CompilationDatabase::nearest(const fs::path& file) const {
  const Command* nearest = nullptr;
  size_t least = 0;
  for (const Command& other : neighbours_) {
    const size_t away = distance(file.parent_path(), other.file.parent_path());
    if (language_of(other.file.string()) != language_of(file.string()) || (nearest && away >= least))
      continue;
    nearest = &other;
    least = away;
  }
  return nearest;
}

DatabaseEntry CompilationDatabase::entry_for(const std::string& file) const {
  const fs::path wanted = fs::weakly_canonical(file);
  const auto listed = listed_.find(wanted);
  const Command* command = listed != listed_.end() ? &listed->second : nearest(wanted);
  if (!command)
    throw base::UserError(base::status_usage,
                          fmt::format("{}: not in {}, nor is any other file of its language", file, path_.string()),
                          "name a file that the database lists, or leave out -p and give flags after --");
  const FlagFile from{path_.string(), project_, {}, command->directory.string()};
  return {flags_from_file(flags_of(command->call, command->file, command->directory), from, trust_), from.directory,
          listed != listed_.end() ? "" : base::shown_path("", command->file.string())};
}

std::vector<std::string> files_in_database(const std::string& database) {
  constexpr size_t most = 1'000'000; // files
  std::vector<std::string> files;
  std::set<fs::path> seen;
  const fs::path path = database_file(database);
  read_commands(path, [&](const nlohmann::json& command) {
    const fs::path file = file_of(command);
    std::error_code ignored;
    if (is_compiled(language_of(file.string())) && fs::is_regular_file(file, ignored) && seen.size() < most &&
        seen.insert(file).second)
      files.push_back(base::shown_path("", file.string()));
  });
  if (files.empty())
    throw base::UserError(base::status_usage,
                          fmt::format("{}: lists no C, C++ or Fortran file that is there", path.string()),
                          "build once: generated files must be there, too; or name files");
  return files;
}

} // namespace faultline::program
