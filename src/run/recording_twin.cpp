#include "run/recording_twin.h"

#include "base/error.h"
#include "base/files.h"
#include "base/process.h"
#include "model/report.h"
#include "program/capture/section.h"
#include "program/compiling/compiler_process.h"
#include "program/content_hash.h"
#include "run/object_code.h"
#include "run/twin_parts.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace faultline::run {

namespace {

namespace files = std::filesystem;
using base::UserError;

// Of this version of Faultline: its objects serve no other one.
std::string version_key() {
  std::error_code error;
  const auto changed = files::last_write_time("/proc/self/exe", error).time_since_epoch().count();
  return fmt::format("{} {} {}", model::version, changed, program::content_hash(runtime_archive()));
}

std::string object_of(const program::Record& record, const std::string& version) {
  return (cache_folder() / "objects" / (program::md5_of(version + record.bitcode) + ".o")).string();
}

void make_objects(const std::vector<program::Record>& records, const std::string& version) {
  for (const program::Record& record : records) {
    const std::string object = object_of(record, version), part = fmt::format("{}.{}", object, getpid());
    std::error_code error;
    if (!record.reason.empty() || files::exists(object, error))
      continue;
    write_recording_object(record, part);
    files::rename(part, object);
  }
}

// In a process of its own, as the bitcode may be anything.
void compile_objects(const std::vector<program::Record>& records, const std::string& version) {
  const files::path folder = cache_folder() / "objects";
  std::error_code error;
  files::create_directories(folder, error);
  if (error)
    throw UserError(base::status_usage, fmt::format("{}: {}", folder.string(), error.message()),
                    "XDG_CACHE_HOME names another cache folder");
  const program::TemporaryFolder own;
  const std::string problem = own.path() + "/problem";
  base::Process child = base::Process::copy(
      [&] {
        try {
          make_objects(records, version);
          return 0;
        } catch (const std::exception& reason) {
          std::ofstream(problem) << reason.what();
          return base::status_unsuitable;
        }
      },
      {.keeps_all_descriptors = true});
  if (child.wait().succeeded())
    return;
  const std::string text = base::regular_content(problem, 10'000).value_or("");
  throw UserError(base::status_unsuitable,
                  text.empty() ? "its bitcode cannot be compiled: it is damaged" : text.substr(0, text.find('\n')),
                  "build it again");
}

// The paths of the libraries that a library needs: it cannot be started to ask for them.
std::map<std::string, std::string> libraries_of(const std::string& file, bool is_library) {
  if (!is_library)
    return resolved_libraries(file);
  std::istringstream lines(base::run({"/lib64/ld-linux-x86-64.so.2", "--list", file}, {}, {}).output);
  std::map<std::string, std::string> paths;
  for (std::string name, arrow, path, line; std::getline(lines, line);)
    if (std::istringstream words(line); words >> name >> arrow >> path && arrow == "=>" && path.starts_with("/"))
      paths[name] = path;
  return paths;
}

std::vector<std::string> command_to_link(const std::string& file, const Needed& needed,
                                         const std::vector<program::Record>& records, const std::string& version,
                                         const files::path& twin) {
  const auto has = [&](std::string_view language) {
    return std::ranges::any_of(records, [&](const program::Record& record) { return record.language == language; });
  };
  std::vector<std::string> command = {has("c++") ? "clang++-19" : "clang-19", program::no_configuration_files};
  if (needed.is_program) {
    command.insert(command.end(), {"-pie", "-rdynamic"});
  } else {
    command.push_back("-shared");
    if (!needed.name.empty())
      command.push_back("-Wl,-soname," + needed.name);
  }
  for (const program::Record& record : records)
    if (record.reason.empty())
      command.push_back(object_of(record, version));
  command.insert(command.end(), {runtime_archive(), "-Wl,--exclude-libs,run_runtime.a", "-o", twin.string()});
  const std::map<std::string, std::string> paths = libraries_of(file, !needed.is_program);
  for (const std::string& library : needed.libraries)
    if (const auto path = paths.find(library); path != paths.end() && !comes_with_driver(library))
      command.push_back(path->second);
  std::error_code error;
  const std::string origin = files::canonical(file, error).parent_path().string();
  for (std::string place : needed.folders) {
    if (const size_t at = place.find("$ORIGIN"); at != std::string::npos)
      place.replace(at, std::strlen("$ORIGIN"), origin);
    command.push_back("-Wl,-rpath," + place);
  }
  if (has("fortran"))
    command.insert(command.end(), {"-L" FAULTLINE_LLVM_LIBRARY_DIR, "-lFortranRuntime", "-lFortranDecimal"});
  command.insert(command.end(), {"-lm", "-lpthread", "-ldl"});
  return command;
}

std::string some_of(const std::vector<std::string>& names) {
  const std::vector<std::string> few(names.begin(), names.begin() + long(std::min<size_t>(names.size(), 3)));
  return fmt::format("{}{}", fmt::join(few, ", "),
                     names.size() > 3 ? fmt::format(" and {} more", names.size() - 3) : "");
}

// A linker accepts a library without some of its code; the programs that load it do not.
void check_symbols(const std::string& file, const std::string& twin) {
  const DynamicSymbols original = dynamic_symbols(file), made = dynamic_symbols(twin);
  std::vector<std::string> missing;
  std::ranges::set_difference(original.defined, made.defined, std::back_inserter(missing));
  for (const std::string& name : made.undefined)
    if (original.defined.contains(name))
      missing.push_back(name);
  std::erase_if(missing, [](const std::string& name) { // what the linker makes
    return name.starts_with("_") &&
           (name == "_init" || name == "_fini" || name == "_edata" || name == "_end" || name == "__bss_start");
  });
  if (!missing.empty())
    throw UserError(base::status_unsuitable, "code was not captured: " + some_of(missing),
                    "compile it with faultline cc, too");
}

} // namespace

bool has_captured_code(const std::string& file) {
  return std::ranges::any_of(program::built_objects(file), [](const program::BuiltObject& object) {
    return std::ranges::any_of(object.records, [](const program::Record& record) { return record.reason.empty(); });
  });
}

std::string recording_twin_of(const std::string& file) {
  const Needed needed = needed_by(file, true);
  std::vector<program::Record> records;
  for (const program::BuiltObject& object : program::built_objects(file))
    records.insert(records.end(), object.records.begin(), object.records.end());
  if (std::ranges::none_of(records, [](const program::Record& record) { return record.reason.empty(); }))
    throw UserError(base::status_unsuitable, fmt::format("{}: has no bitcode", file), "build it with faultline cc");
  const std::string version = version_key();
  const files::path twin = cache_folder() / fmt::format("{}-{}", program::content_hash(file).substr(0, 32),
                                                        program::md5_of("recording " + version).substr(0, 16));
  if (files::exists(twin))
    return twin.string();
  compile_objects(records, version);
  const files::path part = fmt::format("{}.{}", twin.string(), getpid());
  const program::CompilerRun linked =
      program::run_compiler(command_to_link(file, needed, records, version, part), "", file);
  if (!linked.succeeded()) {
    const std::string missing = missing_symbols(linked.errors);
    throw UserError(base::status_unsuitable,
                    missing.empty() ? "does not link: " + linked.errors.substr(0, linked.errors.find('\n'))
                                    : "code was not captured: " + missing,
                    "compile it with faultline cc, too");
  }
  try {
    if (!needed.is_program)
      check_symbols(file, part);
  } catch (...) {
    files::remove(part);
    throw;
  }
  files::rename(part, twin);
  return twin.string();
}

} // namespace faultline::run
