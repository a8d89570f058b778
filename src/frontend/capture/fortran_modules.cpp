#include "frontend/capture/fortran_modules.h"

#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::frontend {
namespace {

namespace fs = std::filesystem;

std::string ours_in(const fs::path& folder) { return (folder / ".faultline-modules").string(); }

} // namespace

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
  ours.push_back("-I" + directory); // for what is included
  return ours;
}

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

} // namespace faultline::frontend
