#include "frontend/capture/probe.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace faultline::frontend {
namespace {

// Names of files: autoconf's, and setuptools'.
constexpr std::string_view file_beginnings[] = {"conftest", "_configtest"};
// Names of folders: CMake's, old and new, Meson's, Waf's.
constexpr std::string_view folder_beginnings[] = {"CMakeTmp",   "CMakeScratch",  "cmTC_",
                                                  "CompilerId", "meson-private", ".conf_check_"};

bool begins_with_one(const std::string& name, const auto& beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view begin) { return name.starts_with(begin); });
}

bool is_in_folder_of_probes(const std::filesystem::path& path) {
  return std::ranges::any_of(path, [](const auto& part) { return begins_with_one(part.string(), folder_beginnings); });
}

} // namespace

bool is_probe(const CompilerCommand& command, const std::string& directory) {
  if (is_in_folder_of_probes(directory) || is_in_folder_of_probes(command.output))
    return true;
  return std::ranges::any_of(command.sources, [](const CompiledSource& source) {
    const std::filesystem::path path = source.file;
    return begins_with_one(path.filename().string(), file_beginnings) || is_in_folder_of_probes(path);
  });
}

} // namespace faultline::frontend
