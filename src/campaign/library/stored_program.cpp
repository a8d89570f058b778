#include "campaign/library/stored_program.h"

#include "campaign/program_file.h"
#include "frontend/content_hash.h"
#include "frontend/error.h"

#include <filesystem>
#include <fmt/format.h>

namespace faultline::campaign {

namespace fs = std::filesystem;

std::string store_program(frontend::Program& program, const frontend::Sources& sources, const std::string& folder) {
  const auto check = [&](const std::error_code& error) {
    if (error)
      throw frontend::UserError(frontend::status_usage, fmt::format("{}/programs: {}", folder, error.message()),
                                "make room on the disk, or check the folder's mode");
  };
  const fs::path programs = fs::path(folder) / "programs";
  std::error_code error;
  fs::create_directories(programs, error);
  check(error);
  const finding::ProgramFile made = program_file(program, sources, programs.string());
  const fs::path kept = programs / (made.sha256 + ".bc");
  if (!fs::exists(kept, error)) {
    const fs::path unnamed = programs / "unnamed"; // until it is whole
    if (fs::path(made.path).parent_path() == fs::absolute(programs))
      fs::rename(made.path, unnamed, error);
    else
      fs::copy_file(made.path, unnamed, fs::copy_options::overwrite_existing, error);
    check(error);
    fs::rename(unnamed, kept, error);
    check(error);
  }
  for (fs::directory_iterator entry(programs, error), end; !error && entry != end; entry.increment(error))
    if (std::error_code ignored; entry->path() != kept)
      fs::remove(entry->path(), ignored);
  return made.sha256;
}

} // namespace faultline::campaign
