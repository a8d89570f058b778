#include "frontend/read_check.h"

#include "base/files.h"
#include "base/landlock.h"
#include "frontend/compiling/fortran_statements.h"
#include "frontend/error.h"
#include "frontend/project_files.h"

#include <filesystem>
#include <fmt/format.h>

namespace faultline::frontend {

namespace {

namespace fs = std::filesystem;

// Throws if this file, as a source names it, exists and may not be read.
void check_is_readable(const std::string& named, const std::string& file, const std::string& directory,
                       const std::vector<std::string>& readable) {
  for (const fs::path& folder : {(fs::path(directory) / file).parent_path(), fs::path(directory)}) {
    std::error_code error;
    const fs::path found = fs::canonical(folder / named, error);
    if (!error && !fs::is_directory(found, error) && !is_below(found.string(), readable))
      throw UserError(
          status_unsuitable, fmt::format("{}: reads {}, which does not belong to the project", file, found.string()),
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

// Without Landlock, a compiler lists what it has read, as rules of make.
void check_dependencies(const std::string& rules, const std::string& file, const std::string& directory,
                        const std::vector<std::string>& readable) {
  std::string name;
  for (size_t i = 0; i < rules.size(); ++i) {
    const bool escapes = rules[i] == '\\' && i + 1 < rules.size() && (rules[i + 1] == ' ' || rules[i + 1] == '#');
    if (escapes || (rules[i] == '$' && i + 1 < rules.size() && rules[i + 1] == '$')) {
      name += rules[++i];
    } else if (rules[i] == ' ' || rules[i] == '\n') {
      if (!name.empty() && name != "\\" && !name.ends_with(':') && !name.starts_with("/proc/self/fd/"))
        check_is_readable(name, file, directory, readable);
      name.clear();
    } else {
      name += rules[i];
    }
  }
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

} // namespace

ReadCheck::ReadCheck(Language language, const std::string& file, const Compilation& how, const CompilerFiles& files)
    : file_(file), how_(how), readable_(files.readable),
      needs_list_(!readable_.empty() && !base::has_landlock() && language != Language::fortran) {
  constexpr int deepest_include = 16;
  if (!readable_.empty() && !base::has_landlock() && language == Language::fortran)
    check_fortran_includes(file, how.directory, readable_, deepest_include);
}

void ReadCheck::ask(CompilerFiles& files, std::vector<std::string>& command) const {
  if (!needs_list_)
    return;
  files.kept.push_back(list_.descriptor());
  const size_t number = base::ProcessOptions::first_kept + files.kept.size() - 1;
  command.insert(command.end(), {"-MD", "-MT", "faultline", "-MF", fmt::format("/proc/self/fd/{}", number)});
}

void ReadCheck::check(const CompilerRun& run) const {
  if (!run.succeeded())
    check_messages(run.errors, file_, how_.directory, readable_);
  else if (needs_list_)
    check_dependencies(list_.content(), file_, how_.directory, readable_);
}

} // namespace faultline::frontend
