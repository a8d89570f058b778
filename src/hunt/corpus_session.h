// The corpus in the course of a hunt: which inputs are tried again, what is kept, and what is not seen any more.
#pragma once

#include "finding/corpus.h"
#include "finding/job.h"
#include "finding/settings/settings.h"
#include "frontend/target.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace faultline::campaign {

class CorpusSession {
public:
  explicit CorpusSession(std::shared_ptr<const finding::Corpus> corpus) : corpus_(std::move(corpus)) {}

  // The inputs of this target's findings and of their witnesses, as far as they fit its ranges and formats. Each once.
  std::vector<finding::Retry> retries(const frontend::Target& target, const finding::Settings& settings);

  // Is the finding to be kept? Not one that is suppressed or harmless; nor one that says less than its file does: the
  // file's own input was out of range this time, and its error is larger.
  bool keeps(const finding::Finding& finding) const;
  static std::string file_of(const finding::TargetReport& target, const finding::Finding& finding);

  // A sentence for each finding that was tried again and is not seen any more.
  std::vector<std::string> remarks(const finding::Report& report) const;

private:
  const finding::Kept* find(const std::string& fingerprint) const;

  std::shared_ptr<const finding::Corpus> corpus_; // or none
  std::set<std::string> retried_;                 // files
};

} // namespace faultline::campaign
