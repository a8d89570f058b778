#include "frontend/compile.h"

#include "frontend/constant_calls.h"
#include "frontend/error.h"
#include "frontend/temporary_folder.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace faultline::frontend {
namespace {

constexpr const char* c_compiler = "clang-19";
constexpr const char* cxx_compiler = "clang++-19";
constexpr const char* fortran_compiler = "flang-new-19";

// Operations run only where the source has them run, and keep their lines: no conditional code is turned into code that
// computes both sides and selects.
constexpr const char* no_speculation[] = {"-mllvm", "-speculate-one-expensive-inst=0",
                                          "-mllvm", "-phi-node-folding-threshold=0",
                                          "-mllvm", "-two-entry-phi-node-folding-threshold=0"};

struct Finished {
  int status = 0; // as waitpid gives it
  std::string output;
  std::string errors;
};

// A file without a name: nothing is left behind, whatever happens to us.
class UnnamedFile {
public:
  UnnamedFile() : descriptor(memfd_create("faultline", MFD_CLOEXEC)) {
    if (descriptor < 0)
      throw std::runtime_error(std::string("memfd_create: ") + std::strerror(errno));
  }
  ~UnnamedFile() { close(descriptor); }
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;

  std::string content() const {
    std::string text;
    std::array<char, 1 << 16> buffer;
    for (off_t at = 0;;) {
      ssize_t count = pread(descriptor, buffer.data(), buffer.size(), at);
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        return text;
      text.append(buffer.data(), size_t(count));
      at += count;
    }
  }

  int descriptor;
};

Finished run(const std::vector<std::string>& command, const std::string& directory) {
  UnnamedFile output, errors;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor, 1);
  posix_spawn_file_actions_adddup2(&actions, errors.descriptor, 2);
  if (!directory.empty())
    posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  std::vector<char*> arguments;
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw UserError(status_unsuitable, fmt::format("cannot run {}: {}", command[0], std::strerror(error)),
                    "install it with scripts/install-deps, and see that it is on PATH");
  Finished finished;
  while (waitpid(child, &finished.status, 0) < 0 && errno == EINTR) {
  }
  finished.output = output.content();
  finished.errors = errors.content();
  return finished;
}

bool is_good(const Finished& finished) { return WIFEXITED(finished.status) && WEXITSTATUS(finished.status) == 0; }

// The compiler parses, calls are marked that shall stay (frontend/constant_calls.h), and it optimises: what comes out
// is what it makes in one step, but for these calls.
Finished compile_in_two_steps(const std::vector<std::string>& command, const std::string& file,
                              const std::string& directory) {
  std::vector<std::string> parsing = command, optimising = command;
  parsing.insert(parsing.end(), {"-Xclang", "-disable-llvm-passes", file});
  Finished parsed = run(parsing, directory);
  if (!is_good(parsed))
    return parsed;
  const TemporaryFolder folder;
  const std::string unoptimised = folder.path() + "/unoptimised.bc";
  std::ofstream(unoptimised, std::ios::binary) << with_constant_calls_kept(std::move(parsed.output));
  optimising.insert(optimising.end(), {"-Qunused-arguments", "-x", "ir", unoptimised});
  return run(optimising, directory);
}

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

// What is left of a recorded compiler call when we ask for bitcode in a place of our own.
std::vector<std::string> own_flags(const std::vector<std::string>& call, const std::filesystem::path& file,
                                   const std::filesystem::path& directory) {
  auto names_file = [&](const std::string& word) {
    std::error_code ignored;
    const std::filesystem::path path =
        std::filesystem::path(word).is_absolute() ? std::filesystem::path(word) : directory / word;
    return !word.starts_with("-") && std::filesystem::weakly_canonical(path, ignored) == file;
  };
  std::vector<std::string> flags;
  for (size_t i = 1; i < call.size(); ++i) {
    const std::string& word = call[i];
    if (word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ")
      ++i;
    else if (word == "-c" || word == "-S" || word.starts_with("-M") || word == "--" || names_file(word))
      continue;
    else
      flags.push_back(word);
  }
  return flags;
}

} // namespace

Language language_of(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".c")
    return Language::c;
  for (const char* cxx : {".cpp", ".cc", ".cxx", ".C", ".c++"})
    if (ending == cxx)
      return Language::cxx;
  for (const char* fortran :
       {".f90", ".F90", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08", ".f", ".F", ".for", ".FOR"})
    if (ending == fortran)
      return Language::fortran;
  if (ending == ".bc")
    return Language::bitcode;
  if (ending == ".ll")
    return Language::assembly;
  return Language::unknown;
}

std::string compile(const std::string& file, const std::vector<std::string>& flags, const std::string& directory,
                    const std::string& module_folder) {
  Language language = language_of(file);
  std::vector<std::string> command;
  switch (language) {
  case Language::c:
    command = {c_compiler, "-O2", "-g", "-ffp-contract=off"};
    break;
  case Language::cxx:
    command = {cxx_compiler, "-O2", "-g", "-ffp-contract=off"};
    break;
  case Language::fortran:
    command = {fortran_compiler, "-O2", "-g", "-module-dir", module_folder, "-I" + module_folder};
    break;
  default:
    throw UserError(status_usage, fmt::format("{}: not a source file that Faultline knows", file),
                    "endings: .c .cpp .cc .cxx .f90 .f95 .f03 .f08 .f .for .ll .bc");
  }
  command.insert(command.end(), std::begin(no_speculation), std::end(no_speculation));
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {"-c", "-emit-llvm", "-o", "-"});
  const std::string named = file.starts_with("-") ? "./" + file : file; // never to be read as an option
  std::vector<std::string> whole = command;
  whole.push_back(named);
  Finished finished =
      language == Language::fortran ? run(whole, directory) : compile_in_two_steps(command, named, directory);
  if (!is_good(finished) && language != Language::fortran) // flags that fit a source alone; or it tells what is wrong
    finished = run(whole, directory);
  if (!is_good(finished)) {
    std::string words = finished.errors;
    while (!words.empty() && words.back() == '\n')
      words.pop_back();
    throw UserError(status_unsuitable, fmt::format("{}: does not compile\n{}", file, words),
                    "give the compiler the flags it needs after --, for example: -- -Iinclude -DNDEBUG; or -p with a "
                    "compilation database");
  }
  return std::move(finished.output);
}

DatabaseEntry look_up(const std::string& database, const std::string& file) {
  namespace fs = std::filesystem;
  fs::path path = database;
  if (fs::is_directory(path))
    path /= "compile_commands.json";
  std::ifstream stream(path);
  if (!stream)
    throw UserError(status_usage, fmt::format("{}: cannot be read", path.string()),
                    "-p takes a compile_commands.json, or the folder it lies in (cmake "
                    "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON writes one)");
  nlohmann::json commands = nlohmann::json::parse(stream, nullptr, false);
  if (!commands.is_array())
    throw UserError(status_usage, fmt::format("{}: not a compilation database", path.string()),
                    "it should be a JSON list of objects");
  fs::path wanted = fs::weakly_canonical(file);
  for (const auto& command : commands) {
    if (!command.is_object() || !command.contains("file") || !command["file"].is_string())
      continue;
    fs::path directory = command.contains("directory") && command["directory"].is_string()
                             ? command["directory"].get<std::string>()
                             : ".";
    std::string name = command["file"].get<std::string>();
    fs::path listed = fs::path(name).is_absolute() ? fs::path(name) : directory / name;
    std::error_code ignored;
    if (fs::weakly_canonical(listed, ignored) != wanted)
      continue;
    std::vector<std::string> call;
    if (command.contains("arguments") && command["arguments"].is_array())
      for (const auto& argument : command["arguments"])
        call.push_back(argument.is_string() ? argument.get<std::string>() : "");
    else if (command.contains("command") && command["command"].is_string())
      call = split(command["command"].get<std::string>());
    return {own_flags(call, wanted, directory), directory.string()};
  }
  throw UserError(status_usage, fmt::format("{}: not in {}", file, path.string()),
                  "name a file that the database lists, or leave out -p and give flags after --");
}

} // namespace faultline::frontend
