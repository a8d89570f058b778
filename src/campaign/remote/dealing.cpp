#include "campaign/remote/dealing.h"

#include "frontend/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace faultline::campaign {

namespace fs = std::filesystem;

std::vector<std::vector<size_t>> dealt(const std::vector<size_t>& functions, uint64_t parts) {
  std::vector<std::vector<size_t>> dealt(std::min<uint64_t>(std::max<uint64_t>(parts, 1), functions.size()));
  for (size_t i = 0; i < functions.size(); ++i)
    dealt[i % dealt.size()].push_back(functions[i]);
  return dealt;
}

ShareJob share_job(const RoundsOf& of, const CampaignTargets& targets, const std::vector<size_t>& functions,
                   const JobHead& head) {
  ShareJob job{.run = of.run,
               .job = head.number,
               .program = head.program,
               .folder = fs::current_path().string(),
               .flags = of.options.sources.flags,
               .seed = of.seed,
               .evaluations = head.limits.evaluations,
               .seconds = head.limits.seconds,
               .functions = {}};
  for (const size_t i : functions) {
    const TargetRow& row = targets.rows[i];
    SharedFunction function{row,
                            targets.selected.settings[i],
                            targets.selected.measured[i],
                            past_rounds(of.database, row.id, row.program),
                            {},
                            {}};
    if (std::string& reference = function.settings.reference_file; !reference.empty())
      reference = fs::absolute(reference).string(); // a task begins in another folder
    for (StoredFinding& stored : findings_of(of.database, row.id))
      function.findings.push_back(std::move(stored.finding));
    if (row.rounds == 0)
      function.first_inputs = targets.first_inputs[i];
    job.functions.push_back(std::move(function));
  }
  return job;
}

void write_job(const ShareFolder& folder, const ShareJob& job) {
  const std::string file = folder.job_file(job.job), unnamed = file + ".part"; // until it is whole
  std::error_code error;
  fs::create_directories(folder.path(), error);
  std::ofstream stream(unnamed, std::ios::binary | std::ios::trunc);
  stream << share_job_text(job);
  stream.close();
  if (stream)
    fs::rename(unnamed, file, error);
  if (!stream || error)
    throw frontend::UserError(frontend::status_usage,
                              fmt::format("{}: {}", file, error ? error.message() : std::strerror(errno)),
                              "make room on the disk, or check the folder's mode");
}

} // namespace faultline::campaign
