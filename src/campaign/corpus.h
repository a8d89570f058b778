// Findings that are kept from hunt to hunt (--corpus DIR). Their inputs are tried first the next time, so that what was
// found once is found again whatever the seed and the budget are.
//
// A file holds one finding, in the format of -o FILE.json, and is named after the function and the finding's
// fingerprint: it can be read, replayed, copied into another corpus and deleted by itself, and the finding stays in
// its file while the code around it changes. The hunt deletes nothing: an input that has stopped to break the code
// guards it from then on. The user is told.
//
// The inputs are run beside the search, which is the same as without a corpus: a corpus can add findings, and never
// costs one.
#pragma once

#include "campaign/finding.h"
#include "campaign/options.h"
#include "exec/session.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace faultline::campaign {

struct Kept {
  std::string file; // its name, without the folder
  TargetReport target;
  Finding finding;
};

struct Corpus {
  std::string folder;
  std::vector<Kept> kept; // by the names of their files
};

// What a file of the corpus says. Throws frontend::UserError if it does not hold just one finding.
Kept kept_in(Report report, const std::string& folder, const std::string& file);

// An input to be tried again.
struct Retry {
  exec::Input input;
  std::string strategy; // that found it
  std::string found_by; // its means
};

// The corpus in the course of a hunt.
class Keeping {
public:
  explicit Keeping(std::shared_ptr<const Corpus> corpus) : corpus_(std::move(corpus)) {}

  // The inputs of this target's findings and of their witnesses, as far as they fit its ranges and formats. Each once.
  std::vector<Retry> retries(const frontend::Target& target, const Options& options);

  // Is the finding to be kept? Not one that is suppressed or harmless; nor one that says less than its file does: the
  // file's own input was out of range this time, and its error is larger.
  bool keeps(const Finding& finding) const;
  static std::string file_of(const TargetReport& target, const Finding& finding);

  // A sentence for each finding that was tried again and is not seen any more.
  std::vector<std::string> remarks(const Report& report) const;

private:
  const Kept* find(const std::string& fingerprint) const;

  std::shared_ptr<const Corpus> corpus_; // or none
  std::set<std::string> retried_;        // files
};

} // namespace faultline::campaign
