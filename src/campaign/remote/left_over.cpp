#include "campaign/remote/left_over.h"

#include <filesystem>
#include <fmt/format.h>

namespace faultline::campaign {

void merge_left_over(const RoundsOf& of, const std::string& campaign, std::vector<TargetRow>& rows,
                     const Merging::OnMerged& on_merged) {
  Merging merging(of, rows, on_merged);
  for (const auto& [run, folder] : shares_of(campaign)) {
    folder.stop();
    for (const ResultsName& name : folder.results())
      merging.merge(folder.results_file(name));
    std::error_code ignored;
    std::filesystem::remove_all(folder.path(), ignored);
    of.database.run("DELETE FROM shares WHERE file LIKE ?", fmt::format("{}/%", run));
  }
}

} // namespace faultline::campaign
