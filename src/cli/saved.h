// Findings that were saved: FINDINGS.json.
#pragma once

#include "cli/options.h"
#include "finding/corpus.h"
#include "finding/report.h"
#include "finding/set_aside.h"
#include "finding/settings/seen.h"
#include "hunt/extents.h"

#include <string>

namespace faultline::cli {

// All of a file. Throws UserError if it cannot be read.
std::string text_of(const std::string& file);

// Throws UserError: no such file, or not a report (with the place that is wrong).
finding::Report load_findings(const std::string& file);

// The same for --baseline.
finding::Baseline load_baseline(const std::string& file);

// The files of a corpus: its *.json, by name. Throws UserError: one of them is no finding.
struct SavedFile {
  std::string name; // without the folder
  finding::Report report;
};
std::vector<SavedFile> load_folder(const std::string& folder);

// The same for --corpus. A folder that is not there is made: an hour of searching must not end in "permission denied".
finding::Corpus load_corpus(const std::string& folder);
// What --seen names. Throws UserError.
finding::SeenRuns load_seen(const std::string& file);

// The options of the hunt that wrote the file. Throws UserError: they cannot be read here and now.
campaign::Options saved_options(const finding::Report& report, const std::string& file, const Permissions& permissions);

} // namespace faultline::cli
