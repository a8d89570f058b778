#include "frontend/compile.h"

#include "frontend/compiling/compiler_advice.h"
#include "frontend/compiling/compiler_process.h"
#include "frontend/constant_calls.h"
#include "frontend/error.h"
#include "frontend/temporary_folder.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace faultline::frontend {
namespace {

constexpr const char* c_compiler = "clang-19";
constexpr const char* cxx_compiler = "clang++-19";
constexpr const char* fortran_compiler = "flang-new-19";

constexpr const char* no_crash_files = "-fno-crash-diagnostics"; // a crash leaves nothing in /tmp

// Operations run only where the source has them run, and keep their lines: no conditional code is turned into code that
// computes both sides and selects.
constexpr const char* no_speculation[] = {"-mllvm", "-speculate-one-expensive-inst=0",
                                          "-mllvm", "-phi-node-folding-threshold=0",
                                          "-mllvm", "-two-entry-phi-node-folding-threshold=0"};

// The compiler parses, calls are marked that shall stay (frontend/constant_calls.h), and it optimises: what comes out
// is what it makes in one step, but for these calls.
CompilerRun compile_in_two_steps(const std::vector<std::string>& command, const std::string& file,
                                 const std::string& directory) {
  std::vector<std::string> parsing = command, optimising = command;
  parsing.insert(parsing.end(), {"-Xclang", "-disable-llvm-passes", file});
  CompilerRun parsed = run_compiler(parsing, directory, file);
  if (!parsed.succeeded())
    return parsed;
  const TemporaryFolder folder;
  const std::string unoptimised = folder.path() + "/unoptimised.bc";
  std::ofstream stream(unoptimised, std::ios::binary);
  stream << with_constant_calls_kept(std::move(parsed.output));
  if (!stream.flush())
    throw UserError(status_usage, fmt::format("{}: cannot be written", unoptimised),
                    "is the disk full? TMPDIR names another folder");
  optimising.insert(optimising.end(), {"-Qunused-arguments", "-x", "ir", unoptimised});
  return run_compiler(optimising, directory, file);
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
    command = {c_compiler, "-O2", "-g", "-ffp-contract=off", no_crash_files};
    break;
  case Language::cxx:
    command = {cxx_compiler, "-O2", "-g", "-ffp-contract=off", no_crash_files};
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
  const bool is_option = file.starts_with("-") || file.starts_with("@"); // if it were left as it is
  const std::string named = is_option ? "./" + file : file;
  std::vector<std::string> whole = command;
  whole.push_back(named);
  const SignalsHeld held; // also between the steps
  CompilerRun finished = language == Language::fortran ? run_compiler(whole, directory, file)
                                                       : compile_in_two_steps(command, named, directory);
  if (!finished.succeeded() &&
      language != Language::fortran) // flags that fit a source alone; or it tells what is wrong
    finished = run_compiler(whole, directory, file);
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
