#include "exec/native_program.h"

#include "base/error.h"
#include "program/project_files.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace faultline::exec {
namespace {

constexpr uint64_t memory = uint64_t(1) << 31;

// Returns the line that names the problem; compilers print more before and after it.
std::string complaint(const std::string& program, const std::string& errors) {
  size_t from = errors.find("error: ");
  for (const char* word : {"undefined reference", "cannot find"}) // the linker's
    if (const size_t at = errors.find(word); at != std::string::npos)
      from = std::min(from, at);
  if (from == std::string::npos)
    from = 0;
  const std::string line = errors.substr(from, errors.find('\n', from) - from);
  return fmt::format("{}: {}", program, line.empty() ? "it failed" : line);
}

} // namespace

NativeProgram::NativeProgram(const std::string& bitcode, const std::string& main_text, MainProgram kind,
                             const std::vector<std::string>& project)
    : readable_(program::files_of_compiler("clang-19")) {
  readable_.insert(readable_.end(), project.begin(), project.end());
  readable_.insert(readable_.end(), {folder_.path(), FAULTLINE_LLVM_LIBRARY_DIR});
  const std::string folder = folder_.path() + "/";
  const bool cpp = kind == MainProgram::google_test;
  const std::string main_file = folder + (cpp ? "main.cpp" : "main.c");
  std::ofstream(folder + "code.bc", std::ios::binary) << bitcode;
  std::ofstream(main_file, std::ios::binary) << main_text;
  std::vector<std::string> link = {
      "clang++-19", program::no_configuration_files, folder + "main.o", folder + "code.o", "-o", folder + "program"};
  for (const char* library : {"libFortranRuntime.a", "libFortranDecimal.a"})
    if (const std::string path = std::string(FAULTLINE_LLVM_LIBRARY_DIR "/") + library; std::filesystem::exists(path))
      link.push_back(path);
  if (cpp)
    link.insert(link.end(), {"-lgtest_main", "-lgtest", "-pthread"});
  // Missing symbols are not needed by the inputs that are tried (exec/replacements.h).
  link.insert(link.end(), {"-lm", "-Wl,--unresolved-symbols=ignore-all"});
  (void)(build({"clang-19", program::no_configuration_files, "-O2", "-ffp-contract=off", "-Xclang",
                "-disable-llvm-passes", "-Wno-override-module", "-c", "-x", "ir", folder + "code.bc", "-o",
                folder + "code.o"}) &&
         build({cpp ? "clang++-19" : "clang-19", program::no_configuration_files, "-w", "-ffp-contract=off", "-c",
                main_file, "-o", folder + "main.o"}) &&
         build(link));
}

bool NativeProgram::build(const std::vector<std::string>& command) {
  try {
    const program::CompilerRun run =
        program::run_compiler(command, "", "the test", program::CompilerFiles{.readable = readable_});
    if (!run.succeeded())
      problem_ = complaint(command.front(), run.errors);
    return run.succeeded();
  } catch (const base::UserError& error) { // the compiler was stopped early
    problem_ = error.what();
    return false;
  }
}

base::ProgramEnd NativeProgram::run(const std::vector<std::string>& arguments, double seconds,
                                    const Confinement& confinement) const {
  std::vector<std::string> command = {folder_.path() + "/program"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_confined(command, seconds, memory, confinement);
}

std::string error_in(const std::string& main_text, MainProgram kind, const std::vector<std::string>& project) {
  const bool cpp = kind == MainProgram::google_test;
  const std::string compiler = cpp ? "clang++-19" : "clang-19";
  std::vector<std::string> readable = program::files_of_compiler(compiler);
  readable.insert(readable.end(), project.begin(), project.end());
  try {
    const program::CompilerRun run =
        program::run_compiler({compiler, "-w", "-fsyntax-only", "-x", cpp ? "c++" : "c", "-"}, "", "the test",
                              program::CompilerFiles{.input = main_text, .readable = readable});
    // The first error decides. A header that is missing or wrong is no error of the program.
    const size_t error = run.errors.find("error: ");
    const size_t line = run.errors.rfind('\n', error) + 1; // 0 for the first line
    const bool is_own = error != std::string::npos && run.errors.compare(line, 8, "<stdin>:") == 0 &&
                        run.errors.find("file not found") == std::string::npos;
    return run.succeeded() || !is_own ? "" : complaint(compiler, run.errors);
  } catch (const base::UserError&) { // there is no compiler, or it was stopped early
    return "";
  }
}

} // namespace faultline::exec
