#include "frontend/compiling/compilation_database.h"

#include "frontend/error.h"
#include "frontend/reading/bounded_stream.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
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

// The first command that is wanted. The others are dropped as they come: there may be a hundred thousand.
nlohmann::json find_command(const fs::path& path, const std::function<bool(const nlohmann::json&)>& is_wanted) {
  using Event = nlohmann::json::parse_event_t;
  constexpr ReadLimits limits{.all = uint64_t(4) << 30, .between = uint64_t(64) << 20};
  BoundedStream bounded(path.string(), limits,
                        "-p takes a compile_commands.json, or the folder it lies in (cmake "
                        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON writes one)");
  nlohmann::json found;
  const auto look = [&](int depth, Event event, const nlohmann::json& parsed) {
    if (depth != 1 || event != Event::object_end)
      return true;
    if (found.is_null() && is_wanted(parsed))
      found = parsed;
    bounded.mark_progress();
    return false;
  };
  if (!nlohmann::json::parse(bounded.stream(), look, false).is_array())
    throw UserError(status_usage, fmt::format("{}: not a compilation database", path.string()),
                    "it should be a JSON list of objects");
  return found;
}

fs::path directory_of(const nlohmann::json& command) {
  const bool told = command.contains("directory") && command["directory"].is_string();
  return told ? command["directory"].get<std::string>() : ".";
}

} // namespace

DatabaseEntry look_up(const std::string& database, const std::string& file, Trust trust) {
  fs::path path = database;
  if (fs::is_directory(path))
    path /= "compile_commands.json";
  const fs::path wanted = fs::weakly_canonical(file);
  const nlohmann::json command = find_command(path, [&](const nlohmann::json& one) {
    if (!one.contains("file") || !one["file"].is_string())
      return false;
    const std::string name = one["file"].get<std::string>();
    std::error_code ignored;
    const fs::path listed = fs::path(name).is_absolute() ? fs::path(name) : directory_of(one) / name;
    return fs::weakly_canonical(listed, ignored) == wanted;
  });
  if (!command.is_null()) {
    const fs::path directory = directory_of(command);
    return {flags_from_file(flags_of(call_in(command), wanted, directory), path.string(), trust), directory.string()};
  }
  throw UserError(status_usage, fmt::format("{}: not in {}", file, path.string()),
                  "name a file that the database lists, or leave out -p and give flags after --");
}

} // namespace faultline::frontend
