// Analyses of runs that are needed again when their findings are completed, within a limit on what they take up.
#pragma once

#include "judge/diagnosis/analysis.h"
#include "judge/judge.h"

#include <map>
#include <memory>
#include <string>

namespace faultline::judge {

class Analyses {
public:
  void keep(const std::string& finding, std::shared_ptr<Analysis> analysis) {
    constexpr size_t most_values = largest_explained; // as many as the largest run that is explained has
    if (analysis && size_ + analysis->size() <= most_values && kept_.emplace(finding, analysis).second)
      size_ += analysis->size();
  }
  std::shared_ptr<Analysis> find(const std::string& finding) const {
    const auto found = kept_.find(finding);
    return found == kept_.end() ? nullptr : found->second;
  }

private:
  std::map<std::string, std::shared_ptr<Analysis>> kept_; // by the finding's id
  size_t size_ = 0;
};

} // namespace faultline::judge
