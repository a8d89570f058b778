// Loads saved findings: FINDINGS.json.
#pragma once

#include "cli/options.h"
#include "hunt/targets.h"
#include "model/report.h"
#include "model/set_aside.h"
#include "model/settings/seen.h"

#include <string>

namespace faultline::cli {

// Returns the content of a file. Throws UserError if it cannot be read.
std::string text_of(const std::string& file);

// Throws UserError if the file does not exist or is not a report (with the place of the error).
model::Report load_findings(const std::string& file);

// The same for --baseline.
model::Baseline load_baseline(const std::string& file);

struct SavedFile {
  std::string name; // without the folder
  model::Report report;
};
// Returns the files of a corpus: its *.json, by name. Throws UserError if one of them is no finding.
std::vector<SavedFile> load_folder(const std::string& folder);

// The same for --corpus. Creates a folder that does not exist: an hour of searching must not end in "permission
// denied".
model::Corpus load_corpus(const std::string& folder);
// Loads the file of --seen. Throws UserError.
model::SeenRuns load_seen(const std::string& file);

// Returns the options of the hunt that wrote the file. Throws UserError if they cannot be read.
hunt::Options saved_options(const model::Report& report, const std::string& file, const Permissions& permissions);

} // namespace faultline::cli
