#include "program/capture/wrapper.h"

#include "base/error.h"
#include "program/capture/section.h"
#include "program/compiling/compiler_process.h"
#include "program/compiling/flag_filter.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <new>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace faultline::program {

namespace {

// Compiles each source of the build again to bitcode, with LLVM 19 and the same flags as far as it supports them. A
// failure here must not affect the build: the record gets it as a reason.
//
// Fortran's module files have a different format in each compiler. flang's would overwrite those of gfortran, which
// have the same names. So they are kept in a separate folder inside the real compiler's folder, and found in all
// folders that are searched for those.
namespace fs = std::filesystem;

std::string ours_in(const fs::path& folder) { return (folder / ".faultline-modules").string(); }

// Returns the flags with our folders of module files before the folders that the flags name. Flang searches the current
// folder first, where it would find another compiler's module files. So it must run in another folder, and paths become
// absolute.
std::vector<std::string> with_module_folders(const std::vector<std::string>& flags, const std::string& module_folder,
                                             const std::string& directory) {
  const fs::path here = directory;
  std::vector<std::string> ours = {"-I" + ours_in(here / module_folder), "-I" + ours_in(here)}, others;
  for (size_t i = 0; i < flags.size(); ++i) {
    const bool apart = flags[i] == "-I" && i + 1 < flags.size();
    if (!apart && !flags[i].starts_with("-I")) {
      others.push_back(flags[i]);
      continue;
    }
    const fs::path folder = here / (apart ? flags[++i] : flags[i].substr(2));
    ours.push_back("-I" + ours_in(folder));
    others.push_back("-I" + folder.string());
  }
  ours.insert(ours.end(), others.begin(), others.end());
  ours.push_back("-I" + directory); // for included files
  return ours;
}

// Moves the module files that flang wrote to `from` into our folder within `module_folder`. Readers never see an
// incomplete file.
void keep_module_files(const std::string& from, const std::string& module_folder) {
  std::error_code error;
  const fs::path into = ours_in(module_folder);
  for (fs::directory_iterator entry(from, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() != ".mod")
      continue;
    std::error_code ignored;
    fs::create_directories(into, ignored);
    const fs::path part = into / fmt::format("{}.{}", entry->path().filename().string(), getpid());
    if (fs::copy_file(entry->path(), part, ignored))
      fs::rename(part, into / entry->path().filename(), ignored);
    if (ignored)
      fs::remove(part, ignored);
  }
}

// Makes Clang accept what GCC accepts. Warnings are of no use here.
constexpr const char* lenient_c[] = {"-w",
                                     "-Wno-error=implicit-function-declaration",
                                     "-Wno-error=implicit-int",
                                     "-Wno-error=int-conversion",
                                     "-Wno-error=incompatible-function-pointer-types",
                                     "-Wno-error=return-mismatch"};
constexpr const char* lenient_cxx[] = {"-w", "-Wno-c++11-narrowing", "-Wno-error=register",
                                       "-Wno-error=reserved-user-defined-literal"};

// Preprocessed by GCC, the headers of the C library contain types that only GCC has. So the output is preprocessed
// again, without the compiler's built-in macros.
constexpr const char* gcc_types[] = {
    "-undef",          "-D_Float128=__float128", "-D_Float64x=long double", "-D_Float64=double", "-D_Float32x=double",
    "-D_Float32=float"};

constexpr int most_tries = 4; // drivers report all unknown flags at once

// Debug information is always complete: a function's parameters are unknown without it. Flags for run-time checks and
// whole-program optimisation are not for bitcode that will be instrumented.
bool is_not_for_us(const std::string& flag) {
  constexpr std::string_view beginnings[] = {"-g",        "-fsanitize",      "-flto",           "-fno-lto",
                                             "-ffat-lto", "-fwhole-program", "-fsplit-lto-unit"};
  return std::ranges::any_of(beginnings, [&](std::string_view begin) { return flag.starts_with(begin); });
}

std::string other_machine(const std::vector<std::string>& flags) {
  for (size_t i = 0; i < flags.size(); ++i) {
    const std::string& flag = flags[i];
    if (flag == "-m32" || flag == "-mx32" || flag == "-m16")
      return flag;
    if (flag.starts_with("--target=") && !flag.starts_with("--target=x86_64"))
      return flag;
    if (flag == "-target" && i + 1 < flags.size() && !flags[i + 1].starts_with("x86_64"))
      return fmt::format("{} {}", flag, flags[i + 1]);
  }
  return {};
}

const char* name_of(Language language) {
  switch (language) {
  case Language::c:
    return "c";
  case Language::cxx:
    return "c++";
  case Language::fortran:
    return "fortran";
  default:
    return "";
  }
}

bool is_preprocessed(const CompiledSource& source) { return source.given.ends_with("cpp-output"); }

// Returns the original file, which is in the first line of a preprocessor's output: # 1 "FILE"
std::string original_of(const CompiledSource& source) {
  if (!is_preprocessed(source))
    return source.file;
  std::ifstream stream(source.file);
  std::string line;
  std::getline(stream, line);
  const size_t begin = line.find('"'), end = line.rfind('"');
  const bool marks = line.starts_with("#") && begin != std::string::npos && end > begin + 1;
  return marks ? line.substr(begin + 1, end - begin - 1) : source.file;
}

BuildFlags flags_for(const CompiledSource& source, const CompilerCommand& command, const std::string& directory) {
  std::vector<std::string> ours = command.flags;
  std::erase_if(ours, is_not_for_us);
  BuildFlags flags = flags_of_build(ours);
  if (source.language == Language::fortran) {
    std::erase_if(flags.taken, [&](const std::string& flag) {
      const bool unknown = flag.starts_with("-std=") && flag != "-std=f2018"; // the only one that flang supports
      if (unknown)
        flags.left_out.push_back(flag);
      return unknown;
    });
    flags.taken = with_module_folders(flags.taken, command.module_folder, directory);
  } else if (source.language == Language::c) {
    flags.taken.insert(flags.taken.end(), std::begin(lenient_c), std::end(lenient_c));
  } else {
    flags.taken.insert(flags.taken.end(), std::begin(lenient_cxx), std::end(lenient_cxx));
  }
  if (is_preprocessed(source))
    flags.taken.insert(flags.taken.end(), std::begin(gcc_types), std::end(gcc_types));
  if (!source.given.empty())
    flags.taken.insert(flags.taken.end(), {"-x", is_preprocessed(source) ? name_of(source.language) : source.given});
  return flags;
}

// Returns the quoted words in a driver's errors, which have no line numbers.
std::vector<std::string> words_complained_of(const std::string& errors) {
  std::vector<std::string> words;
  std::istringstream lines(errors);
  for (std::string line; std::getline(lines, line);) {
    const size_t mark = line.find("error: ");
    if (mark == std::string::npos || std::ranges::count(line.substr(0, mark), ':') > 1)
      continue; // FILE:LINE:COLUMN: error:
    for (size_t begin = line.find('\''); begin != std::string::npos; begin = line.find('\'', begin)) {
      const size_t end = line.find('\'', begin + 1);
      if (end == std::string::npos)
        break;
      words.push_back(line.substr(begin + 1, end - begin - 1));
      begin = end + 1;
    }
  }
  return words;
}

// Moves flags that the compiler does not support to those left out; true if there were any.
bool leave_out_unknown(BuildFlags& flags, const std::string& errors) {
  const std::vector<std::string> words = words_complained_of(errors);
  const auto is_meant = [&](const std::string& flag) {
    return flag.starts_with("-") && std::ranges::any_of(words, [&](const std::string& word) {
             return !word.empty() &&
                    (flag == word || (word.ends_with("=") && flag.starts_with(word)) || flag.ends_with("=" + word));
           });
  };
  const size_t before = flags.left_out.size();
  std::erase_if(flags.taken, [&](const std::string& flag) {
    const bool meant = is_meant(flag);
    if (meant)
      flags.left_out.push_back(flag);
    return meant;
  });
  return flags.left_out.size() > before;
}

// Returns the first error with a location; flang prints a summary first.
std::string first_error(const std::string& errors) {
  std::istringstream lines(errors);
  std::string line, first;
  while (std::getline(lines, line)) {
    const size_t mark = line.find("error: ");
    if (mark != std::string::npos && std::ranges::count(line.substr(0, mark), ':') > 1)
      return line;
    if (first.empty() || (mark != std::string::npos && first.find("error: ") == std::string::npos))
      first = line;
  }
  return first.empty() ? "the compiler failed" : first;
}

void compile_into(Record& record, const CompiledSource& source, const CompilerCommand& command,
                  const std::string& directory) {
  std::optional<TemporaryFolder> modules;
  if (source.language == Language::fortran)
    modules.emplace();
  BuildFlags flags = flags_for(source, command, directory);
  const std::string file = (std::filesystem::path(directory) / source.file).lexically_normal().string();
  CompilerRun run;
  for (int i = 0; i < most_tries; ++i) {
    run = run_bitcode_compiler(source.language, file, flags.taken,
                               {.directory = modules ? modules->path() : "",
                                .module_folder = modules ? modules->path() : "",
                                .environment = CompilerEnvironment::of_build});
    if (run.succeeded() || !leave_out_unknown(flags, run.errors))
      break;
  }
  record.flags = flags.taken;
  record.left_out = flags.left_out;
  if (!run.succeeded()) {
    record.reason = fmt::format("does not compile with LLVM 19: {}", first_error(run.errors));
    return;
  }
  record.bitcode = std::move(run.output);
  if (modules)
    keep_module_files(modules->path(), command.module_folder);
}

// `directory` is the current folder. Throws only if memory runs out.
Record compiled_again(const CompiledSource& source, const CompilerCommand& command, const std::string& directory) {
  Record record;
  record.directory = directory;
  record.source = (std::filesystem::path(directory) / original_of(source)).lexically_normal().string();
  record.language = name_of(source.language);
  record.reason = source.obstacle;
  if (const std::string machine = other_machine(command.flags); !machine.empty())
    record.reason = fmt::format("for another machine: {}", machine);
  if (!record.reason.empty())
    return record;
  try {
    compile_into(record, source, command, directory);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& problem) {
    record.reason = problem.what();
  }
  if (record.reason.empty() && record.bitcode.empty())
    record.reason = "the compiler wrote nothing";
  return record;
}

namespace fs = std::filesystem;

constexpr const char* inside = "FAULTLINE_INSIDE"; // set in the real compiler's environment

struct Names {
  const char* variable;
  std::vector<std::string> usual;
};

Names names_of(Driver driver) {
  switch (driver) {
  case Driver::cc:
    return {"FAULTLINE_CC", {"cc"}};
  case Driver::cxx:
    return {"FAULTLINE_CXX", {"c++"}};
  case Driver::fc:
    break;
  }
  return {"FAULTLINE_FC", {"gfortran", "flang-new-19"}};
}

// True for faultline and the wrapper next to it.
bool is_ours(const fs::path& program) {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path target = fs::canonical(program, error);
  return !error && target.parent_path() == self.parent_path() && target.filename().string().starts_with("faultline");
}

// Returns the program that this name starts; if that is ours, the next one on PATH. Empty if there is none.
std::string program_named(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return is_ours(name) || access(name.c_str(), X_OK) != 0 ? "" : name;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  bool passed_over = false;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder.empty() ? "." : folder) / name;
    std::error_code error;
    if (!fs::is_regular_file(program, error) || access(program.c_str(), X_OK) != 0)
      continue;
    if (!is_ours(program))
      return passed_over ? program.string() : name; // the bare name if possible: the compiler's messages begin with it
    passed_over = true;
  }
  return {};
}

bool needs_lto(const std::string& argument) {
  constexpr std::string_view beginnings[] = {"-flto", "-fwhole-program", "-fsplit-lto-unit", "-fsanitize=cfi",
                                             "-fvirtual-function-elimination"};
  return std::ranges::any_of(beginnings, [&](std::string_view begin) { return argument.starts_with(begin); });
}

base::UserError cannot_start(const std::string& program, int error) {
  return base::UserError(base::status_usage,
                         fmt::format("cannot run the compiler {}: {}", program, std::strerror(error)),
                         "FAULTLINE_CC, FAULTLINE_CXX and FAULTLINE_FC name the real compilers");
}

// Beginnings of file names: of autoconf and setuptools.
constexpr std::string_view file_beginnings[] = {"conftest", "_configtest"};
// Beginnings of folder names: of CMake (old and new), Meson and Waf.
constexpr std::string_view folder_beginnings[] = {"CMakeTmp",   "CMakeScratch",  "cmTC_",
                                                  "CompilerId", "meson-private", ".conf_check_"};

bool begins_with_one(const std::string& name, const auto& beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view begin) { return name.starts_with(begin); });
}

bool is_in_folder_of_probes(const std::filesystem::path& path) {
  return std::ranges::any_of(path, [](const auto& part) { return begins_with_one(part.string(), folder_beginnings); });
}

// A child process that ends with this one. Signals that would end this process are forwarded to it.
class RealCompiler {
public:
  // SIGINT, SIGTERM and SIGCHLD are blocked until wait() has returned and this object is destroyed. Throws UserError if
  // the compiler cannot be started.
  explicit RealCompiler(const std::vector<std::string>& command) : held_{SIGINT, SIGTERM, SIGCHLD} {
    try {
      process_ = base::Process::start(command, {.keeps_all_descriptors = true,
                                                .environment = {fmt::format("{}=1", inside)},
                                                .death_signal = SIGTERM,
                                                .blocked = held_.before(),
                                                .default_signals = false});
    } catch (const base::CannotStart& error) {
      throw cannot_start(command.front(), error.code().value());
    }
  }

  ~RealCompiler() {
    process_.send(SIGTERM);
    wait();
  }

  base::ProcessEnd wait() {
    int ending = 0; // the signal that should end this process
    for (;;) {
      if (const std::optional<base::ProcessEnd> end = process_.poll()) {
        if (ending)
          raise(ending); // blocked until this object is destroyed
        return *end;
      }
      if (const int signal = sigwaitinfo(&held_.signals(), nullptr); signal == SIGINT || signal == SIGTERM) {
        process_.send(signal);
        ending = signal;
      }
    }
  }

private:
  base::BlockedSignals held_;
  base::Process process_;
};

} // namespace

std::vector<std::string> without_lto(const std::vector<std::string>& arguments) {
  std::vector<std::string> kept = arguments;
  if (std::erase_if(kept, needs_lto) > 0)
    kept.emplace_back("-fno-lto"); // some compilers do it by default
  return kept;
}

bool is_probe(const CompilerCommand& command, const std::string& directory) {
  if (is_in_folder_of_probes(directory) || is_in_folder_of_probes(command.output))
    return true;
  return std::ranges::any_of(command.sources, [](const CompiledSource& source) {
    const std::filesystem::path path = source.file;
    return begins_with_one(path.filename().string(), file_beginnings) || is_in_folder_of_probes(path);
  });
}

namespace {

namespace fs = std::filesystem;

class Wrapper {
public:
  Wrapper(const std::vector<std::string>& compiler, const std::vector<std::string>& arguments, CompilerCommand command,
          std::string directory)
      : compiler_(fmt::format("{}", fmt::join(compiler, " "))), real_(compiler), command_(std::move(command)),
        directory_(std::move(directory)) {
    real_.insert(real_.end(), arguments.begin(), arguments.end());
  }

  // Runs both compilers in parallel, and then adds the records to the objects.
  base::ProcessEnd compile() {
    RealCompiler compiler(real_);
    const std::vector<Record> records = compile_again();
    const base::ProcessEnd end = compiler.wait();
    if (end.succeeded())
      for (size_t i = 0; i < records.size(); ++i)
        attach(records[i], command_.sources[i].object);
    return end;
  }

  // The real compiler's objects are temporary, so one more object, with only the section, is linked with them.
  base::ProcessEnd compile_and_link() {
    const TemporaryFolder folder;
    if (const std::string carrier = carrier_in(folder.path()); !carrier.empty())
      real_.push_back(carrier);
    return RealCompiler(real_).wait();
  }

private:
  std::vector<Record> compile_again() const {
    std::vector<Record> records;
    for (const CompiledSource& source : command_.sources) {
      records.push_back(compiled_again(source, command_, directory_));
      records.back().compiler = compiler_;
    }
    return records;
  }

  // On failure, the object stays as it was, without its record.
  void attach(const Record& record, const std::string& object) const {
    try {
      const TemporaryFolder folder;
      const std::string section = folder.path() + "/section";
      std::ofstream(section, std::ios::binary) << bytes_of(record);
      std::error_code error;
      if (fs::is_regular_file(object, error))
        run_compiler({"objcopy", fmt::format("--add-section={}={}", capture_section, section), object}, "", object);
    } catch (const base::UserError&) {
    }
  }

  // Returns the object's path; empty if it cannot be made.
  std::string carrier_in(const std::string& folder) const {
    const std::vector<Record> records = compile_again();
    const std::string section = folder + "/section", text = folder + "/carrier.s", object = folder + "/carrier.o";
    std::ofstream stream(section, std::ios::binary);
    for (const Record& record : records) {
      if (record.reason.starts_with("for another machine"))
        return {};
      stream << bytes_of(record);
    }
    stream.close();
    // R: else --gc-sections would remove it. The note requests a stack that is not executable.
    std::ofstream(text) << fmt::format(".section {},\"R\",@progbits\n.incbin \"{}\"\n"
                                       ".section .note.GNU-stack,\"\",@progbits\n",
                                       capture_section, section);
    try {
      return run_compiler({"as", "--64", "-o", object, text}, "", object).succeeded() ? object : "";
    } catch (const base::UserError&) {
      return {};
    }
  }

  std::string compiler_;
  std::vector<std::string> real_; // with its arguments
  CompilerCommand command_;
  std::string directory_;
};

int status_of(const base::ProcessEnd& end) {
  if (end.signal == 0)
    return end.status;
  std::signal(end.signal, SIG_DFL);
  raise(end.signal);
  return 128 + end.signal; // the signal does not end this process: the status is that of shells
}

// Returns the command of the compiler that the wrapper replaces: FAULTLINE_CC, FAULTLINE_CXX or FAULTLINE_FC, else cc,
// c++, gfortran or flang-new-19. Skips names on PATH that link to the wrapper. Throws UserError if there is none.
//
// The compiler gets the wrapper's arguments, environment and open files, and its output is unchanged: a build must not
// notice the wrapper.
std::vector<std::string> real_compiler(Driver driver) {
  const auto [variable, usual] = names_of(driver);
  if (std::getenv(inside))
    throw base::UserError(base::status_usage, "the real compiler starts faultline's compiler again",
                          fmt::format("{} names the real one by its full path", variable));
  std::vector<std::string> words;
  if (const char* value = std::getenv(variable)) {
    std::istringstream stream(value);
    for (std::string word; stream >> word;)
      words.push_back(word);
  }
  if (!words.empty()) {
    const std::string program = program_named(words.front());
    if (program.empty())
      throw base::UserError(base::status_usage,
                            fmt::format("{}={}: there is no such compiler", variable, fmt::join(words, " ")),
                            "name a program on PATH, or its full path, and arguments that come first");
    words.front() = program;
    return words;
  }
  for (const std::string& name : usual)
    if (const std::string program = program_named(name); !program.empty())
      return {program};
  throw base::UserError(base::status_usage, fmt::format("there is no compiler {} on PATH", fmt::join(usual, " or ")),
                        fmt::format("{} names the real one", variable));
}

// Replaces this process by the real compiler. Throws UserError if it cannot be started.
void become_real_compiler(const std::vector<std::string>& command) {
  setenv(inside, "1", 1);
  base::become(command);
  throw cannot_start(command.front(), errno);
}

} // namespace

int wrap_compiler(Driver driver, const std::vector<std::string>& arguments) {
  const std::vector<std::string> compiler = real_compiler(driver);
  const std::vector<std::string> given = without_lto(arguments);
  const CompilerCommand command = parse_command(driver, expand_response_files(given));
  std::error_code error;
  const std::string directory = fs::current_path(error).string();
  if (command.kind == CommandKind::other || is_probe(command, directory)) {
    std::vector<std::string> words = compiler;
    words.insert(words.end(), given.begin(), given.end());
    become_real_compiler(words);
  }
  Wrapper wrapper(compiler, given, command, directory);
  return status_of(command.kind == CommandKind::compile ? wrapper.compile() : wrapper.compile_and_link());
}

} // namespace faultline::program
