// What a job has found becomes part of what is known of its function: one transaction a job, so that it is done, with
// all that it found, or was never there.
#pragma once

#include "campaign/schedule/choice.h"
#include "campaign/store/job_table.h"
#include "campaign/store/target_table.h"
#include "finding/report.h"

#include <set>
#include <string>
#include <vector>

namespace faultline::campaign {

// What became of findings that were known when their function had changed.
struct KnownAgain {
  uint64_t still = 0, worse = 0, fixed = 0;
};

struct Recorded {
  int64_t round = 0;
  JobEnd end;
  KnownAgain again; // of a job that tried known inputs
};

// What a job comes to.
struct JobResult {
  const finding::TargetReport& found;
  const std::set<std::string>& again; // fingerprints of findings that were known, and met again
  uint64_t reached = 0;               // operations that it executed
};

// `row` is brought up to date.
Recorded record(Database& database, TargetRow& row, const JobRow& job, const JobResult& result, int64_t run);

// Findings of a hunt elsewhere, in the same function. They are tried again in the next run, which is when they are
// believed. Returns how many were not known.
uint64_t merge_findings(Database& database, const TargetRow& row, const finding::TargetReport& found, int64_t run);

// Findings of one function from several hunts, those of one cause together (finding/collection.h).
std::vector<finding::Finding> merged(std::vector<finding::Finding> before, const std::vector<finding::Finding>& found);

} // namespace faultline::campaign
