#include "program/compile.h"

#include "base/error.h"
#include "base/files.h"
#include "base/landlock.h"
#include "program/compiling/compile_cache.h"
#include "program/compiling/fortran_statements.h"
#include "program/content_hash.h"
#include "program/project_files.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::program {

namespace {

// Checks that a compiler read only files of the project (program/project_files.h). With Landlock, the kernel refuses
// other files, and the compiler's messages name them. Without it, clang's list of what it has read counts, which the
// cache of its answers needs, too. The text of Fortran shows what it includes.

namespace fs = std::filesystem;

// Throws if this file, as a source names it, exists and may not be read.
void check_is_readable(const std::string& named, const std::string& file, const std::string& directory,
                       const std::vector<std::string>& readable) {
  for (const fs::path& folder : {(fs::path(directory) / file).parent_path(), fs::path(directory)}) {
    std::error_code error;
    const fs::path found = fs::canonical(folder / named, error);
    if (!error && !fs::is_directory(found, error) && !base::is_below(found.string(), readable))
      throw base::UserError(
          base::status_unsuitable,
          fmt::format("{}: reads {}, which does not belong to the project", file, found.string()),
          fmt::format("--allow-read {} lets it read the files in that folder", found.parent_path().string()));
  }
}

// Finds the file in the compiler's messages.
void check_messages(const std::string& messages, const std::string& file, const std::string& directory,
                    const std::vector<std::string>& readable) {
  for (size_t begin = messages.find('\''); begin != std::string::npos && !readable.empty();) {
    const size_t end = messages.find('\'', begin + 1);
    if (end == std::string::npos)
      break;
    check_is_readable(messages.substr(begin + 1, end - begin - 1), file, directory, readable);
    begin = end;
  }
}

// The files that a compiler lists, as rules of make. Those without a name on disk are left out.
std::vector<std::string> files_in_rules(const std::string& rules) {
  std::vector<std::string> files;
  std::string name;
  for (size_t i = 0; i < rules.size(); ++i) {
    const bool escapes = rules[i] == '\\' && i + 1 < rules.size() && (rules[i + 1] == ' ' || rules[i + 1] == '#');
    if (escapes || (rules[i] == '$' && i + 1 < rules.size() && rules[i + 1] == '$')) {
      name += rules[++i];
    } else if (rules[i] == ' ' || rules[i] == '\n') {
      if (!name.empty() && name != "\\" && !name.ends_with(':') && !name.starts_with("/proc/self/fd/"))
        files.push_back(name);
      name.clear();
    } else {
      name += rules[i];
    }
  }
  return files;
}

// Flang has no such list: includes are found in the text.
void check_fortran_includes(const std::string& file, const std::string& directory,
                            const std::vector<std::string>& readable, int depth) {
  constexpr size_t largest = 64u << 20;
  const fs::path path = fs::path(directory) / file;
  const std::string text = base::regular_content(path.string(), largest).value_or("");
  for (const std::string& statement : fortran_statements(text, fortran_form(file))) {
    const std::vector<std::string> words = fortran_words(statement);
    if (words.size() != 2 || lower_case(words[0]) != "include" || words[1].size() < 3)
      continue;
    const std::string named = words[1].substr(1, words[1].size() - 2);
    check_is_readable(named, file, directory, readable);
    if (depth > 0)
      check_fortran_includes((path.parent_path() / named).string(), "", readable, depth - 1);
  }
}

class ReadCheck {
public:
  // `files.readable`: what may be read; empty: all. Throws UserError for a Fortran file that includes others.
  ReadCheck(Language language, const std::string& file, const Compilation& how, const CompilerFiles& files)
      : file_(file), how_(how), readable_(files.readable), needs_list_(language != Language::fortran) {
    constexpr int deepest_include = 16;
    if (!readable_.empty() && !base::has_landlock() && language == Language::fortran)
      check_fortran_includes(file, how.directory, readable_, deepest_include);
  }

  // Adds what the compiler needs to list the files that it reads.
  void ask(CompilerFiles& files, std::vector<std::string>& command) const {
    if (!needs_list_)
      return;
    files.kept.push_back(list_.descriptor());
    const size_t number = base::ProcessOptions::first_kept + files.kept.size() - 1;
    command.insert(command.end(), {"-MD", "-MT", "faultline", "-MF", fmt::format("/proc/self/fd/{}", number)});
  }

  // Throws UserError that names the first other file.
  void check(const CompilerRun& run) const {
    if (!run.succeeded())
      check_messages(run.errors, file_, how_.directory, readable_);
    else if (!readable_.empty() && !base::has_landlock())
      for (const std::string& name : read())
        check_is_readable(name, file_, how_.directory, readable_);
  }

  std::vector<std::string> read() const { return files_in_rules(list_.content()); }

private:
  const std::string& file_;
  const Compilation& how_;
  const std::vector<std::string> readable_;
  bool needs_list_;
  UnnamedFile list_;
};

namespace fs = std::filesystem;

constexpr const char* usual_advice =
    "give the compiler the flags it needs after --, for example: -- -Iinclude -DNDEBUG; or -p with a compilation "
    "database";

// Returns the quoted text before or after these words of the compilers.
std::string quoted_before(const std::string& messages, const std::string& words) {
  const size_t end = messages.find("' " + words);
  const size_t begin = end == std::string::npos || end == 0 ? end : messages.rfind('\'', end - 1);
  return end == std::string::npos || begin == std::string::npos ? "" : messages.substr(begin + 1, end - begin - 1);
}

struct HeaderPlaces {
  std::optional<fs::path> header;    // the folder to pass with -I
  std::optional<fs::path> template_; // the file that a build generates it from
};

// Searches the folder and its subfolders.
void look_below(const fs::path& folder, const fs::path& header, HeaderPlaces& found) {
  constexpr int most = 50'000; // entries: a second on a slow disk; a hint may be incomplete
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
  const std::string inside = "/" + header.lexically_normal().string();
  for (int seen = 0; !error && entry != end && seen < most; entry.increment(error), ++seen) {
    const std::string path = entry->path().string();
    if (entry->path().filename().string().starts_with(".") && entry->is_directory(error)) {
      entry.disable_recursion_pending();
      continue;
    }
    if (!found.header && path.ends_with(inside))
      found.header = path.substr(0, path.size() - inside.size());
    for (const char* ending : {".in", ".cmake", ".cmake.in", ".meson"})
      if (!found.template_ && path.ends_with(inside + ending))
        found.template_ = entry->path();
  }
}

// True for folders where every user may write, like /tmp: files next to such a folder are unrelated.
bool is_anybodys(const fs::path& folder) {
  std::error_code error;
  return (fs::status(folder, error).permissions() & fs::perms::others_write) != fs::perms::none;
}

// Caches its result: other files of the folder often lack the same header.
const HeaderPlaces& look_for(const fs::path& header, const fs::path& file) {
  static std::map<std::pair<fs::path, fs::path>, HeaderPlaces> looked_for;
  const fs::path folder = fs::absolute(file).parent_path();
  const auto [known, is_new] = looked_for.try_emplace({header, folder});
  HeaderPlaces& found = known->second;
  if (!is_new)
    return found;
  look_below(folder, header, found);
  if (const fs::path above = folder.parent_path(); !found.header && !found.template_ && !is_anybodys(above))
    look_below(above, header, found); // include/ next to src/
  return found;
}

// True for names that build systems give to generated files.
bool sounds_generated(const fs::path& header) {
  const std::string name = header.filename().string();
  return name.find("config") != std::string::npos || name.find("version") != std::string::npos ||
         name.ends_with("_export.h");
}

std::string header_advice(const std::string& header, const std::string& file) {
  const HeaderPlaces& found = look_for(header, file);
  if (found.header)
    return fmt::format("{} is in {}: -- -I {}", header, base::shown_path("", found.header->string()),
                       base::shown_path("", found.header->string()));
  if (!found.template_ && !sounds_generated(header))
    return fmt::format("name the folder of {}: -- -I FOLDER; or -p with a compilation database", header);
  return fmt::format("{} is made by the build{}: run configure (or cmake) first and add the folder of the result, "
                     "-- -I build; or build with `faultline cc` as the compiler and hunt in its results",
                     header,
                     found.template_ ? fmt::format(", from {}", base::shown_path("", found.template_->string())) : "");
}

} // namespace

std::string first_error(const std::string& messages) {
  std::istringstream stream(messages);
  std::string line, any;
  while (std::getline(stream, line)) {
    const size_t at = line.find("error: ");
    if (at == std::string::npos)
      continue;
    if (at > 0) // with a location; others are summaries
      return line;
    any = any.empty() ? line : any;
  }
  return any.empty() ? messages.substr(0, messages.find('\n')) : any;
}

namespace {

constexpr const char* c_compiler = "clang-19";
constexpr const char* cxx_compiler = "clang++-19";
constexpr const char* fortran_compiler = "flang-new-19";

constexpr const char* no_crash_files = "-fno-crash-diagnostics"; // a crash must not leave files in /tmp

// Keeps operations conditional and on their lines: no conversion of conditional code into code that computes both sides
// and selects, and no vectors from operations of several lines.
constexpr const char* as_in_the_source[] = {
    "-mllvm", "-speculate-one-expensive-inst=0",         "-mllvm", "-phi-node-folding-threshold=0",
    "-mllvm", "-two-entry-phi-node-folding-threshold=0", "-mllvm", "-vectorize-slp=false"};

// Returns the path of one of the plugins that keep roundings (program/keep_rounding.h). Its place relative to the
// programs is the same when installed and when built.
std::string plugin(const char* name) {
  static const std::filesystem::path folder = [] {
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    return self.parent_path().parent_path() / "lib/faultline";
  }();
  return (folder / name).string();
}

std::vector<std::string> command_for(Language language, const std::string& file, const std::string& module_folder) {
  switch (language) {
  case Language::c:
  case Language::cxx:
  case Language::fpcore: // already translated to C (program/fpcore/)
    return {language == Language::cxx ? cxx_compiler : c_compiler,
            "-O2",
            "-g",
            "-ffp-exception-behavior=maytrap", // nothing is folded while it parses (program/keep_rounding.h)
            no_configuration_files,
            no_crash_files,
            "-fplugin=" + plugin("named_constants.so"),
            "-fpass-plugin=" + plugin("keep_rounding.so")};
  case Language::fortran:
    return {fortran_compiler,
            no_configuration_files,
            "-O2",
            "-g",
            "-module-dir",
            module_folder,
            "-I" + module_folder,
            "-fpass-plugin=" + plugin("keep_rounding.so")};
  default:
    throw base::UserError(base::status_usage, fmt::format("{}: not a source file that Faultline knows", file),
                          "endings: .c .cpp .cc .cxx .h .hpp .f90 .f95 .f03 .f08 .f .for .fpcore .ll .bc");
  }
}

bool is_position_independence(const std::string& flag) {
  return flag == "-fPIC" || flag == "-fpic" || flag == "-fPIE" || flag == "-fpie"; // implied
}

// True for flags after which the processor may have fused instructions.
bool selects_processor(const std::string& flag) {
  return flag.starts_with("-march=") || flag.starts_with("-mcpu=") || flag == "-mfma" || flag == "-mfma4" ||
         flag.starts_with("-mavx512") || flag.starts_with("-target") || flag.starts_with("--target");
}

// Flang's driver starts the compiler proper as a second process, which takes longer than compiling a small file. Flags
// that the driver passes on unchanged need no driver.
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

// The command that the driver runs for `flang-new-19 -O2 -g` (flang-new-19 -### shows it).
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
          "-I" + module_folder,
          "-fpass-plugin=" + plugin("keep_rounding.so")};
}

std::string as_file(const std::string& file) {
  const bool is_option = file.starts_with("-") || file.starts_with("@"); // it would be read as an option
  return is_option ? "./" + file : file;
}

// Suggests what to try when a file does not compile because a header lies elsewhere or is made by the build, or because
// no file defines a Fortran module. Searches for headers in the folder of the file, below it, and next to it.
std::string compiler_advice(const std::string& messages, const std::string& file) {
  if (const std::string header = quoted_before(messages, "file not found"); !header.empty()) // clang's words
    return header_advice(header, file);
  if (first_error(messages).find("[-Wimplicit-") != std::string::npos)
    return fmt::format("{}; code written before C99 needs -- -std=gnu89", usual_advice);
  const std::string absent = quoted_before(messages, "was not found"); // flang's
  if (absent.ends_with(".mod"))
    return fmt::format("no file defines module {}: add the file that does, or the folder of {}: -- "
                       "-I FOLDER",
                       fs::path(absent).stem().string(), absent);
  return absent.empty() ? usual_advice : header_advice(absent, file);
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

Compilation compilation_of(const Sources& sources, const std::string& directory, const std::string& module_folder) {
  return {directory, module_folder, sources.folders ? *sources.folders : project_folders(sources)};
}

std::vector<std::string> readable_files(const std::string& compiler, const std::string& file,
                                        const std::vector<std::string>& flags, const Compilation& how) {
  if (!how.project)
    return {};
  std::vector<std::string> readable = files_of_compiler(compiler);
  readable.insert(readable.end(), how.project->begin(), how.project->end());
  std::error_code error;
  const fs::path path = fs::path(how.directory) / file;
  if (!fs::is_symlink(path, error)) // where a link leads belongs to the project, or was named
    readable.push_back(fs::canonical(path, error).string());
  if (!how.module_folder.empty())
    readable.push_back(fs::canonical(how.module_folder, error).string());
  for (const std::string& path : paths_in_flags(flags, how.directory))
    readable.push_back(path);
  return readable;
}

namespace {

// What the answer to this command depends on, besides the content of files.
std::vector<std::string> question_of(const std::vector<std::string>& command, const CompilerFiles& files,
                                     const Compilation& how) {
  std::vector<std::string> question = {how.directory, how.replacement ? sha256_of(how.replacement->content()) : "",
                                       how.environment == CompilerEnvironment::clean ? "" : "of a build"};
  for (const char* name : {"named_constants.so", "keep_rounding.so"})
    question.push_back(content_hash(plugin(name)));
  question.insert(question.end(), files.readable.begin(), files.readable.end());
  question.insert(question.end(), command.begin(), command.end());
  return question;
}

} // namespace

CompilerRun run_bitcode_compiler(Language language, const std::string& file, const std::vector<std::string>& flags,
                                 const Compilation& how, Cached cached) {
  const bool directly = language == Language::fortran && std::ranges::all_of(flags, is_handed_on);
  std::vector<std::string> command =
      directly ? proper_fortran_command(how.module_folder) : command_for(language, file, how.module_folder);
  command.insert(command.end(), std::begin(as_in_the_source), std::end(as_in_the_source));
  if (language != Language::fortran && std::ranges::none_of(flags, selects_processor))
    command.push_back("-ffp-contract=off"); // without fused instructions this changes no result, and keeps lines apart
  for (const std::string& flag : flags)
    if (!directly || !is_position_independence(flag))
      command.push_back(flag);
  // A killed flang leaves temporary files; they are removed with the module files.
  CompilerFiles files{.temporary_folder = language == Language::fortran ? how.module_folder : "",
                      .environment = how.environment,
                      .readable = readable_files(command.front(), file, flags, how)};
  if (how.replacement) {
    files.kept.push_back(how.replacement->descriptor());
    command.insert(command.end(), {"-Xclang", "-remap-file", "-Xclang",
                                   fmt::format("{};/proc/self/fd/{}", file, base::ProcessOptions::first_kept)});
  }
  const ReadCheck check(language, file, how, files);
  if (!directly)
    command.insert(command.end(), {"-c", "-emit-llvm"});
  command.insert(command.end(), {"-o", "-"});
  command.push_back(as_file(file));
  std::optional<CompileCache> cache;
  if (cached == Cached::yes && language != Language::fortran) // whose modules are files that it writes
    cache.emplace(command.front(), question_of(command, files, how));
  if (cache)
    if (std::optional<CompilerRun> known = cache->find())
      return std::move(*known);
  check.ask(files, command);
  CompilerRun run = run_compiler(command, how.directory, file, files);
  check.check(run);
  if (cache)
    cache->keep(run, check.read(), how.directory, paths_in_flags(flags, how.directory));
  return run;
}

CompilerRun run_fortran_reader(const std::string& question, const std::string& file,
                               const std::vector<std::string>& flags, const Compilation& how) {
  std::vector<std::string> command{fortran_compiler,        "-fc1", question, "-module-dir", how.module_folder,
                                   "-I" + how.module_folder};
  for (size_t i = 0; i < flags.size(); ++i) {
    const bool in_two_words = flags[i] == "-I" || flags[i] == "-D" || flags[i] == "-U";
    if (in_two_words && i + 1 < flags.size())
      command.push_back(flags[i] + flags[i + 1]);
    else if (is_handed_on(flags[i]) && !is_position_independence(flags[i]))
      command.push_back(flags[i]);
    i += in_two_words;
  }
  command.push_back(as_file(file));
  return run_compiler(
      command, how.directory, file,
      CompilerFiles{.temporary_folder = how.module_folder, .readable = readable_files(command[0], file, flags, how)});
}

std::vector<std::string> with_standard(Language language, const std::vector<std::string>& flags) {
  std::vector<std::string> all = flags;
  const bool has_standard = std::ranges::any_of(
      flags, [](const std::string& flag) { return flag.starts_with("-std=") || flag.starts_with("--std"); });
  if (language == Language::cxx && !has_standard)
    all.insert(all.begin(), "-std=gnu++20");
  return all;
}

std::string compile(const std::string& file, const std::vector<std::string>& flags, const Compilation& how) {
  const Language language = language_of(file);
  std::vector<std::string> all = with_standard(language, flags);
  if (language == Language::cxx)
    all.insert(all.begin(), {"-x", "c++"}); // compiles headers, too
  CompilerRun finished = run_bitcode_compiler(language, file, all, how, Cached::yes);
  if (!finished.succeeded()) {
    std::string words = finished.errors;
    while (!words.empty() && words.back() == '\n')
      words.pop_back();
    throw base::UserError(base::status_unsuitable, fmt::format("{}: does not compile\n{}", file, words),
                          compiler_advice(words, file));
  }
  return std::move(finished.output);
}

} // namespace faultline::program
