#include "suite/subject.h"

#include "base/process.h"
#include "frontend/error.h"

#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <unistd.h>

namespace faultline::suite {

using frontend::status_unsuitable;
using frontend::status_usage;
using frontend::UserError;

namespace {

namespace fs = std::filesystem;

// Returns only the tree of the executable: a script from an arbitrary current folder must not be run.
std::optional<fs::path> source_tree() {
  std::error_code error;
  fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (; !error && folder.has_relative_path(); folder = folder.parent_path())
    if (fs::exists(folder / "scripts/fetch-subjects", error))
      return folder;
  return {};
}

fs::path fetched(const fs::path& tree, const std::string& subject) {
  return tree / "build/subjects" / subject / (subject + ".bc");
}

// Shortens the path if it is below the current folder: every replay command contains it.
std::string shown(const fs::path& file) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const fs::path near = (here / file).lexically_normal().lexically_proximate(here); // links are not resolved
  return error || near.empty() || *near.begin() == ".." ? file.string() : near.string();
}

void fetch(const fs::path& tree, const std::string& subject) {
  const std::string script = (tree / "scripts/fetch-subjects").string();
  base::ProcessEnd end;
  try { // standard output is for the result
    end = base::Process::start({script, subject}, {.output = STDERR_FILENO, .death_signal = 0}).wait();
  } catch (const base::CannotStart& error) {
    throw UserError(status_unsuitable, fmt::format("{} cannot be run: {}", script, std::strerror(error.code().value())),
                    "run it by hand");
  }
  if (!end.succeeded())
    throw UserError(status_unsuitable, fmt::format("{} could not be fetched; see the messages above", subject),
                    fmt::format("{} {}", script, subject));
}

} // namespace

std::string subject_file(const std::string& subject, const std::string& folder) {
  std::error_code error;
  if (!folder.empty()) {
    const fs::path file = fs::path(folder) / (subject + ".bc");
    if (!fs::exists(file, error))
      throw UserError(status_usage, fmt::format("{}: there is no {}.bc in this folder", folder, subject),
                      fmt::format("scripts/fetch-subjects {0} leaves it in build/subjects/{0}", subject));
    return shown(file);
  }
  if (fs::exists(fetched(".", subject), error))
    return shown(fetched(".", subject));
  const std::optional<fs::path> tree = source_tree();
  if (!tree)
    throw UserError(status_usage, fmt::format("neither {}.bc nor scripts/fetch-subjects is here", subject),
                    fmt::format("faultline bench {} DIR, where DIR is the folder that has {}.bc", subject, subject));
  if (!fs::exists(fetched(*tree, subject), error))
    fetch(*tree, subject);
  return shown(fetched(*tree, subject));
}

std::string source_folder(const std::string& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error))
    return folder;
  const std::optional<fs::path> tree = source_tree();
  if (!tree || !fs::is_directory(*tree / folder, error))
    throw UserError(status_usage, fmt::format("{} is not here: it is part of the source tree", folder),
                    "run it in the folder of the source tree");
  return shown(*tree / folder);
}

} // namespace faultline::suite
