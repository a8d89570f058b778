#include "campaign/program_file.h"

#include "frontend/capture/section.h"
#include "frontend/content_hash.h"
#include "frontend/error.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace faultline::campaign {

finding::ProgramFile program_file(frontend::Program& program, const frontend::Sources& sources,
                                  const std::string& folder) {
  namespace fs = std::filesystem;
  const bool is_one = sources.files.size() == 1;
  if (is_one &&
      (fs::path(sources.files.front()).extension() == ".bc" || frontend::is_machine_code(sources.files.front()))) {
    const std::string path = fs::absolute(sources.files.front()).lexically_normal().string();
    return {path, frontend::content_hash(path)};
  }
  const std::string path = (fs::absolute(folder) / "program.bc").lexically_normal().string();
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << program.bitcode();
  if (!stream.flush())
    throw frontend::UserError(frontend::status_usage, fmt::format("{}: cannot be written", path),
                              "name a folder that can be written");
  return {path, frontend::content_hash(path)};
}

} // namespace faultline::campaign
