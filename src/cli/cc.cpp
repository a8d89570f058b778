#include "base/text.h"
#include "cli/command_line.h"

#include "base/error.h"
#include "base/process.h"
#include "cli/parser.h"
#include "cli/writer.h"
#include "hunt/recording.h"
#include "model/csv_lines.h"
#include "model/settings/seen.h"
#include "program/compiling/compiler_process.h"
#include "program/program.h"
#include "recorder/signatures.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace faultline::cli {

using base::UserError;

namespace {

constexpr const char* help_text =
    R"(faultline cc, faultline c++, faultline fc: compile as the real compiler does, and remember the bitcode

Usage: faultline cc ARGUMENTS...        all arguments are the compiler's

They replace the compiler, build what it builds, and put bitcode into a section of the objects, so that
faultline hunt and list take what the build has made: objects, archives, shared libraries, programs. They are also
installed as faultline-cc, faultline-c++ and faultline-fc, which start more quickly.

The real compilers are cc, c++ and gfortran (else flang-new-19), or what FAULTLINE_CC, FAULTLINE_CXX and FAULTLINE_FC
say.

Examples:
  ./configure CC=faultline-cc && make
  cmake -B build -DCMAKE_C_COMPILER=faultline-cc -DCMAKE_CXX_COMPILER=faultline-c++ && cmake --build build
  faultline list libfoo.a                          what was captured, and what can be hunted in
)";

} // namespace

void start_compiler_wrapper(char** argv) {
  if (!argv[0] || !argv[1])
    return;
  for (const std::string_view name : {"cc", "c++", "fc"}) {
    if (argv[1] != name)
      continue;
    std::error_code error;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    const std::string program = (folder / "faultline-cc").string();
    std::string called = fmt::format("faultline-{}", name);
    argv[1] = called.data();
    execv(program.c_str(), argv + 1);
    fmt::print(stderr, "faultline: error: {}: {}\n  try: make build builds it next to faultline\n", program,
               std::strerror(errno));
    std::exit(base::status_usage);
  }
}

int cc(const CommandLine&) { throw Help{help_text}; }

// The evaluation suites are a separate program, faultline-bench, in the same folder as this one.

int bench(const CommandLine& line) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program = (self.parent_path() / "faultline-bench").string();
  std::vector<std::string> words{program};
  words.insert(words.end(), line.typed.begin() + 1, line.typed.end());
  base::become(words);
  throw base::UserError(base::status_usage, fmt::format("{}: {}", program, std::strerror(errno)),
                        "make build builds it next to faultline");
}

namespace {

// faultline record runs a program of the user, with the user's rights, and loads the recorder into it and into all
// programs that it starts (src/recorder_main.cpp).
namespace fs = std::filesystem;

std::string found_on_path(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return name;
  std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path path = fs::path(folder) / name; access(path.c_str(), X_OK) == 0)
      return path.string();
  return name;
}

// True for an ELF program without a dynamic linker. False for scripts.
bool is_static(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  Elf64_Ehdr header{};
  if (!stream.read(reinterpret_cast<char*>(&header), sizeof header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return false;
  stream.seekg(std::streamoff(header.e_phoff));
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (!stream.read(reinterpret_cast<char*>(&segment), sizeof segment))
      return false;
    if (segment.p_type == PT_INTERP)
      return false;
  }
  return true;
}

std::vector<std::string> environment_for(const std::string& folder) {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const std::string recorder = (self.parent_path().parent_path() / "lib/faultline/recorder.so").string();
  if (!fs::exists(recorder, error))
    throw UserError(base::status_usage, fmt::format("{}: there is no such file", recorder),
                    "install faultline with its lib/faultline folder");
  std::string preload = "LD_PRELOAD=" + recorder;
  if (const char* others = std::getenv("LD_PRELOAD"))
    preload += fmt::format(":{}", others);
  return {preload, fmt::format("{}={}", recorder::folder_variable, folder),
          fmt::format("{}={}", recorder::program_variable, self.string())};
}

// Ignores interrupts while the program runs: it handles Ctrl-C itself, and its recording is read afterwards.
class IgnoredInterrupts {
public:
  IgnoredInterrupts() : interrupt_(std::signal(SIGINT, SIG_IGN)), quit_(std::signal(SIGQUIT, SIG_IGN)) {}
  ~IgnoredInterrupts() {
    std::signal(SIGINT, interrupt_);
    std::signal(SIGQUIT, quit_);
  }

private:
  sighandler_t interrupt_, quit_;
};

// Runs the program and returns its exit status as a shell does: 128 plus the signal number if a signal has ended it.
// Throws base::UserError if it does not exist, or if it is linked statically, so that the recorder cannot be
// loaded.
int run_recorded(const std::vector<std::string>& command, const std::string& folder) {
  const std::string program = found_on_path(command.front());
  if (is_static(program))
    throw UserError(base::status_usage,
                    fmt::format("{}: is linked statically, and cannot be recorded", command.front()),
                    "link it without -static");
  const base::ProcessOptions options{
      .keeps_all_descriptors = true, .environment = environment_for(folder), .death_signal = 0};
  const IgnoredInterrupts ignored;
  try {
    const base::ProcessEnd end = base::Process::start(command, options).wait();
    return end.signal != 0 ? 128 + end.signal : end.status;
  } catch (const base::CannotStart& error) {
    throw UserError(base::status_usage, fmt::format("{}: {}", command.front(), std::strerror(error.code().value())),
                    "name a program that can be run: faultline record -- ./app");
  }
}

constexpr const char* usual_file = "seen.json";
constexpr const char* record_examples = R"(Examples:
  faultline record -- ./app input.txt              what the functions of ./app are called with, in seen.json
  faultline record -o tests.json -- make check     a test suite: every program that it starts
  faultline hunt ./app --seen seen.json            then: ranges, first inputs and what is everyday by these runs

The program, or a library that it loads, must be built with faultline cc, faultline c++ or faultline fc. It is run as
you would run it, without a sandbox. The exit status is the program's own.)";

// Writes the signatures for the recorder, which does not link the compiler's libraries.
int write_signatures(const std::string& program, const std::string& file) {
  program::Sources sources;
  sources.files = {program};
  program::Program loaded = program::Program::load(sources);
  OutputFile(file).write(hunt::signatures_of(loaded.targets({})));
  return base::status_nothing;
}

// Prints what was not recorded, and why.
void tell_limits(const hunt::Recording& recording) {
  if (recording.not_writable > 0)
    fmt::print(stderr, "faultline: note: in {} the system does not allow changing code: nothing was recorded there\n",
               base::counted(recording.not_writable, "process"));
}

std::string summary(const hunt::Recording& recording, const std::string& file) {
  uint64_t calls = 0, sampled = 0;
  for (const model::SeenFunction& seen : recording.runs.functions) {
    calls += seen.calls;
    sampled += seen.sampled;
  }
  std::string text =
      fmt::format("faultline: {} seen in {}, {} noted", base::counted(recording.runs.functions.size(), "function"),
                  base::counted(recording.runs.processes, "process"), base::counted(calls, "call"));
  if (sampled > 0)
    text += fmt::format("; {} called too often to note every call", sampled);
  return text + fmt::format("\nfaultline: {} is written; next: faultline hunt FILE --seen {}\n", file,
                            model::shell_quoted(file));
}

// Refuses a word that is neither an option nor the value of one: it is probably the program, without --.
void refuse_program_without_mark(const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i] == "-o" || words[i] == "--signatures")
      ++i;
    else if (!words[i].starts_with("-"))
      throw UserError(
          base::status_usage, fmt::format("{}: put -- before the program", words[i]),
          fmt::format("faultline record -- {}", model::shell_line({words.begin() + std::ptrdiff_t(i), words.end()})));
}

} // namespace

int record(const CommandLine& line) {
  refuse_program_without_mark(line.words);
  const model::RawSettings raw = parse({.name = "record",
                                        .description = "Runs a program and records the arguments of its functions.",
                                        .examples = record_examples},
                                       line);
  const std::string file = raw.has("seen-file") ? raw.value("seen-file") : usual_file;
  if (raw.has("signatures"))
    return write_signatures(raw.value("signatures"), file);
  if (line.flags.empty())
    throw UserError(base::status_usage, "no program given", "faultline record -- ./app ARGUMENTS");
  const OutputFile output(file); // before the run: it may be refused
  const program::TemporaryFolder folder;
  const int status = run_recorded(line.flags, folder.path());
  hunt::Recording recording = hunt::recording_in(folder.path());
  recording.runs.command = line.flags;
  const bool quiet = raw.is_on("quiet");
  if (!quiet)
    tell_limits(recording);
  if (status != 0 && !quiet)
    fmt::print(stderr, "faultline: note: {} failed, with exit status {}\n", line.flags.front(), status);
  if (recording.runs.functions.empty()) {
    const UserError nothing(
        base::status_unsuitable,
        recording.files_of_code == 0 ? "nothing was seen: no program that ran has code that faultline cc has compiled"
                                     : "nothing was seen: none of the functions that can be tested was called",
        recording.files_of_code == 0 ? "build it with faultline cc; faultline list ./app shows what it has"
                                     : "functions that were inlined are not called; faultline list ./app");
    if (status == 0)
      throw nothing;
    fmt::print(stderr, "faultline: {}\n", nothing.what());
    return status;
  }
  output.write(model::seen_text(recording.runs));
  if (!quiet)
    fmt::print(stderr, "{}", summary(recording, file));
  return status;
}

} // namespace faultline::cli
