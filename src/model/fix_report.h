// The result of faultline fix: for each problem the edits that repair it and what was measured, or the reason why there
// are none. Plain data.
#pragma once

#include "model/edit.h"
#include "model/finding.h"
#include "model/message.h"
#include "model/report.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::model {

// How well a repair is known. The grades are never mixed.
enum class FixGrade : uint8_t {
  tried,      // on a number of inputs
  exhaustive, // on all values of the only input
  proved,     // equal to the original by proved identities, and its rounding bounded
};
std::string_view text(FixGrade grade);

struct ProvedFix {
  std::string range; // x in [0, 1]
  double bound = 0;  // of the relative error
};

// One problem, and its repair.
struct Fix {
  std::string problem; // its id
  Tier tier = Tier::error;
  std::string fault, file, function, source;
  int line = 0, column = 0;
  std::vector<NamedNumber> input; // that shows it
  std::vector<Edit> edits;        // of the original text; empty: no repair
  std::string advice;             // in words: "write log1p(x) for log(1 + x)"
  std::string patch;              // the edits alone as a diff
  TrialDone trial;                // of the edits
  std::vector<std::string> steps; // why it is equal to the original: names of identities
  std::optional<ProvedFix> proved;
  std::string refusal;   // why there is no repair
  size_t candidates = 0; // that were tried

  bool is_repaired() const { return refusal.empty() && !patch.empty(); }
  FixGrade grade() const {
    return proved ? FixGrade::proved : trial.exhaustive ? FixGrade::exhaustive : FixGrade::tried;
  }
};

// A file before and after all repairs.
struct FixedFile {
  std::string file; // as in the diff: relative to the folder of the repository, or else to the current one
  std::string path;
  std::string before, after;
};

struct FixReport {
  std::string version;
  std::vector<std::string> command;
  std::vector<Fix> fixes;
  std::vector<FixedFile> files;
  std::vector<std::string> notes;
  Report hunted;          // what the problems are from
  bool reproduced = true; // there was something to repair
  bool interrupted = false;
  std::string threshold = {}; // of the errors

  bool is_any_repaired() const;
  std::string diff() const; // of all files
};

} // namespace faultline::model
