#include "run/twin.h"

#include "base/error.h"
#include "base/files.h"
#include "base/process.h"
#include "model/report.h"
#include "program/compiling/compiler_process.h"
#include "program/content_hash.h"
#include "run/object_code.h"
#include "run/twin_parts.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <unistd.h>

namespace faultline::run {

namespace {

namespace fs = std::filesystem;
using base::UserError;

fs::path own_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

} // namespace

std::string runtime_archive() { return (own_folder().parent_path() / "lib/faultline/run_runtime.a").string(); }

std::filesystem::path cache_folder() {
  if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder && *folder == '/')
    return fs::path(folder) / "faultline/run";
  const char* home = std::getenv("HOME");
  return fs::path(home && *home ? home : "/tmp") / ".cache/faultline/run";
}

namespace {

// Names the twin by the content of what it is made from, by this program and by the processor.
std::string key_of(const std::string& program, const TwinOptions& options) {
  std::error_code error;
  const fs::path self = own_folder() / "faultline";
  const auto changed = fs::last_write_time(self, error).time_since_epoch().count();
  return program::content_hash(program).substr(0, 32) + "-" +
         program::md5_of(fmt::format("{} {} {} {} {} {} {}", model::version, processor(), changed, options.causes,
                                     options.values, options.probes, program::content_hash(runtime_archive())) +
                         fmt::format("{}", fmt::join(options.watched, "\n")))
             .substr(0, 16);
}

} // namespace

std::map<std::string, std::string> resolved_libraries(const std::string& program) {
  base::ProcessOptions options;
  options.environment = {"LD_TRACE_LOADED_OBJECTS=1"};
  std::istringstream lines(base::run({program}, {}, options).output);
  std::map<std::string, std::string> paths;
  for (std::string name, arrow, path, line; std::getline(lines, line);)
    if (std::istringstream words(line); words >> name >> arrow >> path && arrow == "=>" && path.starts_with("/"))
      paths[name] = path;
  return paths;
}

bool comes_with_driver(const std::string& library) {
  constexpr std::string_view known[] = {"libc.so",       "libm.so",  "libgcc_s.so", "libstdc++.so",   "ld-linux",
                                        "libpthread.so", "libdl.so", "librt.so",    "libgfortran.so", "libquadmath.so"};
  return std::ranges::any_of(known, [&](std::string_view name) { return library.starts_with(name); });
}

namespace {

std::vector<std::string> link_command(const std::string& program, const Needed& needed,
                                      const std::vector<program::Record>& records, const fs::path& folder) {
  const auto has = [&](std::string_view language) {
    return std::ranges::any_of(records, [&](const program::Record& record) { return record.language == language; });
  };
  std::vector<std::string> command = {has("c++") ? "clang++-19" : "clang-19", program::no_configuration_files};
  command.insert(command.end(), {"-pie", "-rdynamic", (folder / "twin.o").string(), "-Wl,--whole-archive",
                                 runtime_archive(), "-Wl,--no-whole-archive", "-o", (folder / "twin").string()});
  const std::map<std::string, std::string> paths = resolved_libraries(program);
  std::error_code error;
  const std::string origin = fs::canonical(program, error).parent_path().string();
  for (const std::string& library : needed.libraries)
    if (const auto path = paths.find(library); path != paths.end() && !comes_with_driver(library))
      command.push_back(path->second);
  for (std::string place : needed.folders) {
    if (const size_t at = place.find("$ORIGIN"); at != std::string::npos)
      place.replace(at, strlen("$ORIGIN"), origin);
    command.push_back("-Wl,-rpath," + place);
  }
  if (has("fortran"))
    command.insert(command.end(), {"-L" FAULTLINE_LLVM_LIBRARY_DIR, "-lFortranRuntime", "-lFortranDecimal",
                                   "-Wl,--wrap=memcpy", "-Wl,--wrap=memmove"});
  command.insert(command.end(), {"-lm", "-lpthread", "-ldl"});
  return command;
}

} // namespace

std::string missing_symbols(const std::string& errors) {
  std::set<std::string> names;
  const std::string mark = "undefined reference to `";
  for (size_t at = errors.find(mark); at != std::string::npos; at = errors.find(mark, at + 1)) {
    const size_t begin = at + mark.size();
    names.insert(errors.substr(begin, errors.find('\'', begin) - begin));
  }
  std::string text;
  size_t shown = 0;
  for (const std::string& name : names)
    if (++shown <= 3)
      text += (text.empty() ? "" : ", ") + name;
  return names.size() > 3 ? fmt::format("{} and {} more", text, names.size() - 3) : text;
}

namespace {

[[noreturn]] void refuse_link(const std::string& program, const program::CaptureSummary& captured,
                              const std::string& errors) {
  const std::string missing = missing_symbols(errors);
  if (missing.empty())
    throw UserError(base::status_unsuitable,
                    fmt::format("{}: its twin does not link: {}", program, errors.substr(0, errors.find('\n'))),
                    "link the program with shared libraries, or with archives that faultline cc has compiled");
  const bool openmp = missing.find("__kmpc_") != std::string::npos;
  throw UserError(base::status_unsuitable,
                  fmt::format("{}: its twin needs code that was not captured: {}\n{}", program, missing,
                              program::capture_text(captured, false)),
                  openmp ? "OpenMP programs need LLVM's libomp beside the compilers; or build without -fopenmp"
                         : "compile these functions with faultline cc too, or link them from a shared library");
}

UserError full_cache(const std::string& file) {
  return {base::status_inconclusive, fmt::format("{}: cannot be written", file),
          "free some space, or let XDG_CACHE_HOME name another folder"};
}

// Runs in a process of its own, as the bitcode may be anything.
SiteTable compile(const std::vector<program::Record>& records, const TwinOptions& options, const fs::path& folder) {
  const std::string object = (folder / "twin.o").string(), sites = (folder / "sites.json").string(),
                    problem = (folder / "problem").string();
  base::Process child = base::Process::copy(
      [&] {
        try {
          const SiteTable table = write_object(records, options, object);
          std::ofstream stream(sites);
          stream << text_of(table);
          stream.close();
          if (!stream)
            throw full_cache(sites);
          return 0;
        } catch (const UserError& error) {
          std::ofstream(problem) << error.what() << '\n' << error.hint;
          return error.status;
        } catch (const std::exception& error) {
          std::ofstream(problem) << error.what();
          return base::status_internal;
        }
      },
      {.keeps_all_descriptors = true});
  const base::ProcessEnd end = child.wait();
  if (end.succeeded())
    return sites_from(base::regular_content(sites, size_t(1) << 32).value_or(""));
  const std::string text = base::regular_content(problem, 10'000).value_or("");
  if (text.empty() && end.status == base::status_inconclusive)
    throw full_cache(folder.string());
  if (end.status == base::status_internal)
    throw std::runtime_error(text);
  throw UserError(base::status_unsuitable,
                  text.empty() ? fmt::format("the captured bitcode cannot be compiled ({})",
                                             end.signal ? fmt::format("signal {}", end.signal) : "it is damaged")
                               : text.substr(0, text.find('\n')),
                  text.empty() || text.find('\n') == std::string::npos ? "build the program again"
                                                                       : text.substr(text.find('\n') + 1));
}

void make_twin(const std::string& program, const Needed& needed, const std::vector<program::Record>& records,
               const program::CaptureSummary& captured, const TwinOptions& options, const fs::path& target) {
  const fs::path folder = target.string() + fmt::format(".{}", getpid());
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw UserError(base::status_usage, fmt::format("{}: {}", folder.string(), error.message()),
                    "XDG_CACHE_HOME names another cache folder");
  const auto remove = [&] { fs::remove_all(folder, error); };
  try {
    const SiteTable sites = compile(records, options, folder);
    const program::CompilerRun linked =
        program::run_compiler(link_command(program, needed, records, folder), "", program);
    if (!linked.succeeded())
      refuse_link(program, captured, linked.errors);
    fs::remove(folder / "twin.o", error);
    fs::rename(folder, target, error); // another run may have been faster
    if (error && !fs::exists(target / "twin"))
      throw UserError(base::status_usage, fmt::format("{}: {}", target.string(), error.message()),
                      "XDG_CACHE_HOME names another cache folder");
  } catch (...) {
    remove();
    throw;
  }
  remove();
}

double share_of(const Needed& needed, const SiteTable& sites) {
  const std::set<std::string> known(sites.functions.begin(), sites.functions.end());
  // What every linked program has, and GCC's names for what it has split from a function.
  const std::set<std::string> of_linker = {"_start",
                                           "_init",
                                           "_fini",
                                           "__libc_csu_init",
                                           "__libc_csu_fini",
                                           "deregister_tm_clones",
                                           "register_tm_clones",
                                           "__do_global_dtors_aux",
                                           "frame_dummy",
                                           "_dl_relocate_static_pie"};
  uint64_t all = 0, ours = 0;
  for (const auto& [name, bytes] : needed.functions) {
    if (of_linker.contains(name))
      continue;
    all += bytes;
    if (known.contains(name) || known.contains(name.substr(0, name.find('.'))))
      ours += bytes;
  }
  return all == 0 ? -1 : double(ours) / double(all);
}

} // namespace

namespace {

std::vector<program::Record> captured_records(const std::string& program, program::CaptureSummary& captured) {
  std::vector<program::Record> records;
  for (const program::BuiltObject& object : program::built_objects(program)) {
    captured.add(object);
    records.insert(records.end(), object.records.begin(), object.records.end());
  }
  if (std::ranges::none_of(records, [](const program::Record& record) { return record.reason.empty(); }))
    throw UserError(base::status_unsuitable,
                    fmt::format("{}: has no bitcode: {}", program, program::capture_text(captured, false)),
                    "build it with faultline cc in the place of the compiler: CC=faultline-cc CXX=faultline-c++ "
                    "FC=faultline-fc");
  return records;
}

} // namespace

std::vector<program::Record> records_of(const std::string& program) {
  program::CaptureSummary captured;
  return captured_records(program, captured);
}

Twin changed_twin(const std::string& program, const std::vector<program::Record>& changed, const TwinOptions& options,
                  const std::string& folder) {
  Twin twin;
  std::vector<program::Record> records = captured_records(program, twin.captured);
  for (program::Record& record : records)
    for (const program::Record& other : changed)
      if (record.source == other.source)
        record = other;
  make_twin(program, needed_by(program), records, twin.captured, options, fs::path(folder) / "changed");
  twin.program = folder + "/changed/twin";
  twin.sites = sites_from(base::regular_content(folder + "/changed/sites.json", size_t(1) << 32).value_or(""));
  return twin;
}

Twin twin_of(const std::string& program, const TwinOptions& options) {
  const Needed needed = needed_by(program);
  Twin twin;
  twin.watched = options.watched;
  const std::vector<program::Record> records = captured_records(program, twin.captured);
  const fs::path target = cache_folder() / key_of(program, options);
  if (!fs::exists(target / "twin"))
    make_twin(program, needed, records, twin.captured, options, target);
  twin.program = (target / "twin").string();
  twin.sites = sites_from(base::regular_content((target / "sites.json").string(), size_t(1) << 32).value_or(""));
  const bool fortran =
      std::ranges::any_of(records, [](const program::Record& record) { return record.language == "fortran"; });
  if (!fortran) // else GCC and LLVM have different names for functions
    twin.instrumented = share_of(needed, twin.sites);
  const std::map<std::string, std::string> paths = resolved_libraries(program);
  for (const std::string& library : needed.libraries) {
    if (comes_with_driver(library))
      continue;
    twin.libraries.push_back(library);
    if (const auto path = paths.find(library); path != paths.end())
      for (const std::string& name : dynamic_symbols(path->second).defined)
        twin.library_of.try_emplace(name, library);
  }
  return twin;
}

} // namespace faultline::run
