#include "cli/flag_paths.h"

#include <filesystem>

namespace faultline::cli {
namespace {

// Longer ones first: -include begins as -I does not, but -iquote as -i would.
constexpr const char* with_path[] = {"-idirafter", "-isystem", "-isysroot", "-iprefix", "-iquote", "-include-pch",
                                     "-include",   "-imacros", "-J",        "-I",       "-F",      "-L"};

} // namespace

std::string relative_to(const std::string& folder, const std::string& path) {
  if (folder.empty() || path.empty() || std::filesystem::path(path).is_absolute())
    return path;
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

std::vector<std::string> flags_relative_to(const std::string& folder, std::vector<std::string> flags) {
  bool is_path = false; // of the flag before
  for (std::string& flag : flags) {
    if (is_path) {
      flag = relative_to(folder, flag);
      is_path = false;
      continue;
    }
    for (const std::string option : with_path) {
      if (!flag.starts_with(option))
        continue;
      if (flag == option)
        is_path = true;
      else
        flag = option + relative_to(folder, flag.substr(option.size()));
      break;
    }
  }
  return flags;
}

} // namespace faultline::cli
