#include "frontend/compiling/compilation_database.h"

#include "frontend/error.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace faultline::frontend {
namespace {

namespace fs = std::filesystem;

// Splits a command line as a POSIX shell would, without expanding anything.
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

// Programs that stand before the compiler's name, and run it.
bool is_launcher(const std::string& word) {
  constexpr std::string_view launchers[] = {"ccache", "sccache", "distcc", "icecc"};
  return std::ranges::find(launchers, fs::path(word).filename().string()) != std::end(launchers);
}

// What a recorded compiler call has beside the compiler and the file.
std::vector<std::string> flags_of(const std::vector<std::string>& call, const fs::path& file,
                                  const fs::path& directory) {
  const auto names_file = [&](const std::string& word) {
    std::error_code ignored;
    const fs::path path = fs::path(word).is_absolute() ? fs::path(word) : directory / word;
    return !word.starts_with("-") && fs::weakly_canonical(path, ignored) == file;
  };
  std::vector<std::string> flags;
  for (size_t i = !call.empty() && is_launcher(call[0]) ? 2 : 1; i < call.size(); ++i) {
    if (call[i] == "-o" && i + 1 < call.size()) // its value may have the file's name
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

nlohmann::json read_database(const fs::path& path) {
  std::ifstream stream(path);
  if (!stream)
    throw UserError(status_usage, fmt::format("{}: cannot be read", path.string()),
                    "-p takes a compile_commands.json, or the folder it lies in (cmake "
                    "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON writes one)");
  nlohmann::json commands = nlohmann::json::parse(stream, nullptr, false);
  if (!commands.is_array())
    throw UserError(status_usage, fmt::format("{}: not a compilation database", path.string()),
                    "it should be a JSON list of objects");
  return commands;
}

} // namespace

DatabaseEntry look_up(const std::string& database, const std::string& file, Trust trust) {
  fs::path path = database;
  if (fs::is_directory(path))
    path /= "compile_commands.json";
  const nlohmann::json commands = read_database(path);
  const fs::path wanted = fs::weakly_canonical(file);
  for (const auto& command : commands) {
    if (!command.is_object() || !command.contains("file") || !command["file"].is_string())
      continue;
    const fs::path directory = command.contains("directory") && command["directory"].is_string()
                                   ? command["directory"].get<std::string>()
                                   : ".";
    const std::string name = command["file"].get<std::string>();
    const fs::path listed = fs::path(name).is_absolute() ? fs::path(name) : directory / name;
    std::error_code ignored;
    if (fs::weakly_canonical(listed, ignored) == wanted)
      return {flags_from_file(flags_of(call_in(command), wanted, directory), path.string(), trust), directory.string()};
  }
  throw UserError(status_usage, fmt::format("{}: not in {}", file, path.string()),
                  "name a file that the database lists, or leave out -p and give flags after --");
}

} // namespace faultline::frontend
