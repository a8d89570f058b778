#include "frontend/capture/second_compilation.h"

#include "frontend/capture/fortran_modules.h"
#include "frontend/compiling/flag_filter.h"
#include "frontend/error.h"
#include "frontend/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <new>
#include <optional>
#include <sstream>
#include <string_view>

namespace faultline::frontend {
namespace {

// What GCC takes and Clang does not unless it is told to. Warnings are nobody's here.
constexpr const char* lenient_c[] = {"-w",
                                     "-Wno-error=implicit-function-declaration",
                                     "-Wno-error=implicit-int",
                                     "-Wno-error=int-conversion",
                                     "-Wno-error=incompatible-function-pointer-types",
                                     "-Wno-error=return-mismatch"};
constexpr const char* lenient_cxx[] = {"-w", "-Wno-c++11-narrowing", "-Wno-error=register",
                                       "-Wno-error=reserved-user-defined-literal"};

// GCC's preprocessor leaves types in the headers of the C library that only GCC knows. So its output is preprocessed
// once more, without the macros that a compiler has by itself.
constexpr const char* gcc_types[] = {
    "-undef",          "-D_Float128=__float128", "-D_Float64x=long double", "-D_Float64=double", "-D_Float32x=double",
    "-D_Float32=float"};

constexpr int most_tries = 4; // drivers name all the flags that they do not know at once

// Debug information is always whole: without it nothing is known of a function's parameters. What watches the code
// while it runs, or optimises the program as a whole, is not for bitcode that will be instrumented.
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

// A preprocessor's output says in its first line what it was made from: # 1 "FILE"
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
      const bool unknown = flag.starts_with("-std=") && flag != "-std=f2018"; // the only one that flang knows
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

// The words in quotes of what a driver, which knows no lines, calls errors.
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

// Moves the flags that the compiler does not know to those that are left out. Were there any?
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

// The first that names a place; flang sums up before it tells.
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
    run = run_bitcode_compiler(source.language, file, flags.taken, modules ? modules->path() : "",
                               modules ? modules->path() : "");
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

} // namespace

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

} // namespace faultline::frontend
