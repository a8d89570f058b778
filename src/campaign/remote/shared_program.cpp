#include "campaign/remote/shared_program.h"

#include "campaign/stored_program.h"
#include "frontend/content_hash.h"
#include "frontend/error.h"

#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>

namespace faultline::campaign {

using frontend::Target;
using frontend::UserError;

namespace {

std::string checked_file(const ShareJob& job, const ShareFolder& folder) {
  const std::filesystem::path campaign = std::filesystem::path(folder.path()).parent_path().parent_path();
  std::string file = program_in(campaign.string(), job.program);
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw UserError(frontend::status_usage, fmt::format("{}: the program of this job is not there", file),
                    "a later run may have replaced it; or the campaign's folder is not shared as a whole");
  if (frontend::content_hash(file) != job.program)
    throw UserError(frontend::status_usage, fmt::format("{}: is not the program of this job", file),
                    "faultline campaign run DIR writes both anew");
  return file;
}

} // namespace

HuntTargets shared_targets(const ShareJob& job, const ShareFolder& folder) {
  const auto by_symbol = std::make_shared<std::map<std::string, frontend::Shapes>>();
  for (const SharedFunction& function : job.functions)
    by_symbol->emplace(function.row.symbol, frontend::Shapes{function.settings.sizes, function.settings.aliases});
  const frontend::ShapesOf shapes = [by_symbol](const Target& target) {
    const auto found = by_symbol->find(target.symbol);
    return found == by_symbol->end() ? frontend::Shapes{} : found->second;
  };
  frontend::Sources sources;
  sources.files = {checked_file(job, folder)};
  sources.shapes_of = shapes;
  HuntTargets selected{frontend::Program::load(sources), {}, {}, {}, {}};
  selected.program.shape_by(shapes);
  for (const SharedFunction& function : job.functions) {
    selected.targets.push_back(selected.program.find({function.row.symbol}, {}, true).front());
    selected.targets.back().function = function.row.function;
    selected.settings.push_back(function.settings);
    selected.measured.push_back(function.measured);
  }
  return selected;
}

} // namespace faultline::campaign
