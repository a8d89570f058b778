// Findings that were saved: FINDINGS.json.
#pragma once

#include "campaign/baseline.h"
#include "campaign/corpus.h"
#include "campaign/finding.h"
#include "campaign/options.h"

#include <string>

namespace faultline::cli {

// Throws UserError: no such file, or not a report (with the place that is wrong).
campaign::Report load_findings(const std::string& file);

// The same for --baseline.
campaign::Baseline load_baseline(const std::string& file);

// The files of a corpus: its *.json, by name. Throws UserError: one of them is no finding.
struct SavedFile {
  std::string name; // without the folder
  campaign::Report report;
};
std::vector<SavedFile> load_folder(const std::string& folder);

// The same for --corpus. A folder that is not there is made: an hour of searching must not end in "permission denied".
campaign::Corpus load_corpus(const std::string& folder);

// The options of the hunt that wrote the file. Throws UserError: they cannot be read here and now.
campaign::Options saved_options(const campaign::Report& report, const std::string& file);

} // namespace faultline::cli
