#include "frontend/capture/fortran_modules.h"

#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::frontend {
namespace {

namespace fs = std::filesystem;

std::string ours_in(const std::string& folder) {
  return (fs::path(folder.empty() ? "." : folder) / ".faultline-modules").string();
}

} // namespace

std::vector<std::string> with_module_folders(const std::vector<std::string>& flags, const std::string& module_folder) {
  std::vector<std::string> result = {"-I" + ours_in(module_folder)};
  if (!module_folder.empty())
    result.push_back("-I" + ours_in("")); // compilers look in the current folder, too
  for (size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == "-I" && i + 1 < flags.size())
      result.push_back("-I" + ours_in(flags[i + 1]));
    else if (flags[i].starts_with("-I"))
      result.push_back("-I" + ours_in(flags[i].substr(2)));
  }
  result.insert(result.end(), flags.begin(), flags.end());
  return result;
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
