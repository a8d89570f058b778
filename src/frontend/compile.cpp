#include "frontend/compile.h"

#include "frontend/compiling/compiler_advice.h"
#include "frontend/error.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <string_view>

namespace faultline::frontend {
namespace {

constexpr const char* c_compiler = "clang-19";
constexpr const char* cxx_compiler = "clang++-19";
constexpr const char* fortran_compiler = "flang-new-19";

constexpr const char* no_crash_files = "-fno-crash-diagnostics"; // a crash leaves nothing in /tmp

// Operations run only where the source has them run, and keep their lines: no conditional code is turned into code that
// computes both sides and selects, and operations of several lines are not made one of vectors.
constexpr const char* as_in_the_source[] = {
    "-mllvm", "-speculate-one-expensive-inst=0",         "-mllvm", "-phi-node-folding-threshold=0",
    "-mllvm", "-two-entry-phi-node-folding-threshold=0", "-mllvm", "-vectorize-slp=false"};

// Installed and built, it lies in the same place beside the programs. It marks the calls that shall stay
// (frontend/constant_calls.h).
const std::string& constant_calls_plugin() {
  static const std::string path = [] {
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    return (self.parent_path().parent_path() / "lib/faultline/constant_calls.so").string();
  }();
  return path;
}

std::vector<std::string> command_for(Language language, const std::string& file, const std::string& module_folder) {
  switch (language) {
  case Language::c:
  case Language::cxx:
  case Language::fpcore: // which has been made C (frontend/fpcore/)
    return {language == Language::cxx ? cxx_compiler : c_compiler,
            "-O2",
            "-g",
            "-ffp-contract=off",
            no_crash_files,
            "-fpass-plugin=" + constant_calls_plugin()};
  case Language::fortran:
    return {fortran_compiler, "-O2", "-g", "-module-dir", module_folder, "-I" + module_folder};
  default:
    throw UserError(status_usage, fmt::format("{}: not a source file that Faultline knows", file),
                    "endings: .c .cpp .cc .cxx .h .hpp .f90 .f95 .f03 .f08 .f .for .fpcore .ll .bc");
  }
}

bool is_position_independence(const std::string& flag) {
  return flag == "-fPIC" || flag == "-fpic" || flag == "-fPIE" || flag == "-fpie"; // the code is, in any case
}

// Flang's driver starts the compiler proper as a second process, which takes longer than a small file does. Flags that
// it hands on as they stand need no driver.
bool is_handed_on(const std::string& flag) {
  constexpr std::string_view alone[] = {"-O0",
                                        "-O1",
                                        "-O2",
                                        "-O3",
                                        "-cpp",
                                        "-nocpp",
                                        "-ffixed-form",
                                        "-ffree-form",
                                        "-fdefault-real-8",
                                        "-fdefault-integer-8",
                                        "-fimplicit-none",
                                        "-fbackslash"};
  constexpr std::string_view beginnings[] = {"-I", "-D", "-U", "-ffixed-line-length="};
  const auto begins = [&](std::string_view begin) { return flag.starts_with(begin) && flag.size() > begin.size(); };
  return std::ranges::find(alone, flag) != std::end(alone) || std::ranges::any_of(beginnings, begins) ||
         is_position_independence(flag);
}

// What the driver makes of `flang-new-19 -O2 -g` (flang-new-19 -### shows it).
std::vector<std::string> proper_fortran_command(const std::string& module_folder) {
  return {fortran_compiler,
          "-fc1",
          "-triple",
          "x86_64-pc-linux-gnu",
          "-emit-llvm-bc",
          "-mrelocation-model",
          "pic",
          "-pic-level",
          "2",
          "-pic-is-pie",
          "-target-cpu",
          "x86-64",
          "-debug-info-kind=standalone",
          "-mframe-pointer=none",
          "-O2",
          "-module-dir",
          module_folder,
          "-I" + module_folder};
}

std::string as_file(const std::string& file) {
  const bool is_option = file.starts_with("-") || file.starts_with("@"); // if it were left as it is
  return is_option ? "./" + file : file;
}

} // namespace

Language language_of(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".c")
    return Language::c;
  for (const char* cxx :
       {".cpp", ".cc", ".cxx", ".C", ".c++", ".hpp", ".hh", ".hxx", ".H", ".h++", ".h", ".ipp", ".tpp"})
    if (ending == cxx)
      return Language::cxx;
  for (const char* fortran :
       {".f90", ".F90", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08", ".f", ".F", ".for", ".FOR"})
    if (ending == fortran)
      return Language::fortran;
  if (ending == ".fpcore")
    return Language::fpcore;
  if (ending == ".bc")
    return Language::bitcode;
  if (ending == ".ll")
    return Language::assembly;
  return Language::unknown;
}

CompilerRun run_bitcode_compiler(Language language, const std::string& file, const std::vector<std::string>& flags,
                                 const std::string& directory, const std::string& module_folder) {
  const bool directly = language == Language::fortran && std::ranges::all_of(flags, is_handed_on);
  std::vector<std::string> command =
      directly ? proper_fortran_command(module_folder) : command_for(language, file, module_folder);
  command.insert(command.end(), std::begin(as_in_the_source), std::end(as_in_the_source));
  for (const std::string& flag : flags)
    if (!directly || !is_position_independence(flag))
      command.push_back(flag);
  if (!directly)
    command.insert(command.end(), {"-c", "-emit-llvm"});
  command.insert(command.end(), {"-o", "-"});
  command.push_back(as_file(file));
  // A flang that is killed leaves files for whoever wants to know why; with the module files they go.
  return run_compiler(command, directory, file,
                      CompilerFiles{.temporary_folder = language == Language::fortran ? module_folder : ""});
}

CompilerRun run_fortran_reader(const std::string& question, const std::string& file,
                               const std::vector<std::string>& flags, const std::string& directory,
                               const std::string& module_folder) {
  std::vector<std::string> command{fortran_compiler, "-fc1",        question,
                                   "-module-dir",    module_folder, "-I" + module_folder};
  for (size_t i = 0; i < flags.size(); ++i) {
    const bool in_two_words = flags[i] == "-I" || flags[i] == "-D" || flags[i] == "-U";
    if (in_two_words && i + 1 < flags.size())
      command.push_back(flags[i] + flags[i + 1]);
    else if (is_handed_on(flags[i]) && !is_position_independence(flags[i]))
      command.push_back(flags[i]);
    i += in_two_words;
  }
  command.push_back(as_file(file));
  return run_compiler(command, directory, file, CompilerFiles{.input = {}, .temporary_folder = module_folder});
}

std::vector<std::string> with_standard(Language language, const std::vector<std::string>& flags) {
  std::vector<std::string> all = flags;
  const bool told = std::ranges::any_of(
      flags, [](const std::string& flag) { return flag.starts_with("-std=") || flag.starts_with("--std"); });
  if (language == Language::cxx && !told)
    all.insert(all.begin(), "-std=gnu++20");
  return all;
}

std::string compile(const std::string& file, const std::vector<std::string>& flags, const std::string& directory,
                    const std::string& module_folder) {
  const Language language = language_of(file);
  std::vector<std::string> all = with_standard(language, flags);
  if (language == Language::cxx)
    all.insert(all.begin(), {"-x", "c++"}); // a header, too, is to become code
  CompilerRun finished = run_bitcode_compiler(language, file, all, directory, module_folder);
  if (!finished.succeeded()) {
    std::string words = finished.errors;
    while (!words.empty() && words.back() == '\n')
      words.pop_back();
    throw UserError(status_unsuitable, fmt::format("{}: does not compile\n{}", file, words),
                    compiler_advice(words, file));
  }
  return std::move(finished.output);
}

} // namespace faultline::frontend
