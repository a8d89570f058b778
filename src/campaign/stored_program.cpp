#include "campaign/stored_program.h"

#include "frontend/content_hash.h"
#include "frontend/error.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace faultline::campaign {

namespace fs = std::filesystem;

namespace {

void check(const std::error_code& error, const fs::path& folder) {
  if (error)
    throw frontend::UserError(frontend::status_usage, fmt::format("{}: {}", folder.string(), error.message()),
                              "make room on the disk, or check the folder's mode");
}

fs::path folder_for_programs(const std::string& folder) {
  const fs::path programs = fs::path(folder) / "programs";
  std::error_code error;
  fs::create_directories(programs, error);
  check(error, programs);
  return programs;
}

fs::path unnamed_in(const fs::path& programs) { return programs / "unnamed"; } // a program until it is whole

bool is_program(const fs::path& file) {
  constexpr size_t digits = 64;
  const std::string stem = file.stem().string();
  return file == unnamed_in(file.parent_path()) || (file.extension() == ".bc" && stem.size() == digits &&
                                                    stem.find_first_not_of("0123456789abcdef") == stem.npos);
}

// From now on it is the only one.
void name(const fs::path& programs, const std::string& hash) {
  const fs::path kept = programs / (hash + ".bc");
  std::error_code error;
  fs::rename(unnamed_in(programs), kept, error);
  check(error, programs);
  for (fs::directory_iterator entry(programs, error), end; !error && entry != end; entry.increment(error))
    if (std::error_code ignored; entry->path() != kept && is_program(entry->path()))
      fs::remove(entry->path(), ignored);
}

} // namespace

std::string program_in(const std::string& folder, const std::string& hash) {
  return fmt::format("{}/programs/{}.bc", folder, hash);
}

std::string store_program(frontend::Program& program, const frontend::Sources& sources, const std::string& folder) {
  const fs::path programs = folder_for_programs(folder), unnamed = unnamed_in(programs);
  std::error_code error;
  if (sources.files.size() == 1 && fs::path(sources.files.front()).extension() == ".bc") {
    fs::copy_file(sources.files.front(), unnamed, fs::copy_options::overwrite_existing, error);
  } else {
    std::ofstream stream(unnamed, std::ios::binary | std::ios::trunc);
    if (stream << program.bitcode(); !stream.flush())
      error = std::error_code(errno, std::generic_category());
  }
  check(error, programs);
  std::string hash = frontend::content_hash(unnamed);
  name(programs, hash);
  return hash;
}

void copy_program(const std::string& hash, const std::string& campaign, const std::string& folder) {
  const fs::path programs = folder_for_programs(folder);
  std::error_code error;
  if (fs::exists(program_in(folder, hash), error))
    return;
  fs::copy_file(program_in(campaign, hash), unnamed_in(programs), fs::copy_options::overwrite_existing, error);
  check(error, programs);
  name(programs, hash);
}

} // namespace faultline::campaign
