// Records the results of a job in the store, in one transaction per job, so that a job is either done with all of its
// results or was never there.
#pragma once

#include "campaign/store/database.h"
#include "campaign/store/finding_table.h"
#include "model/report.h"
#include "program/program.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace faultline::campaign {

// The news of a job, which weigh in the choice of the next function.
struct News {
  uint64_t problems = 0;     // of tiers error and warning
  uint64_t notes = 0;        // problems of tier note
  bool larger_error = false; // at everyday inputs, at least twice as large
  double new_sites = 0;      // operations that were executed for the first time, as a fraction of all
};
double weight_of(const News& news);

// Adds the news of a job to the row. Old news decay.
void add_news(TargetRow& row, double weight, double seconds);

// Returns a function's next job: the number of a round, or one of the constants for jobs that do not search
// (store/finding_table.h). Rounds are short while they bring something new; then all of their findings are diagnosed at
// once. `evaluations`: the limit of each function over all runs.
int64_t next_job_of(const TargetRow& row, std::optional<uint64_t> evaluations);
// True if a round of this number is short: it reports only what is wrong and where.
bool is_short(const TargetRow& row, int64_t round);

struct Candidate {
  const TargetRow* row = nullptr;
  bool busy = false;    // a job of it is in progress, or it has reached its limit
  int64_t next_job = 0; // next_job_of
};

// Chooses the function of the next job: first looks for all; then the functions that still bring something new, by
// their recent yield per second; in between, those whose problems are still to be diagnosed; and now and then the one
// that had the least time, so that none is forgotten. `turn`: the number of jobs begun so far. None if no function is
// available now.
std::optional<size_t> choose(const std::vector<Candidate>& candidates, uint64_t turn);

// The fate of known findings after their function has changed.
struct KnownAgain {
  uint64_t still = 0, worse = 0, fixed = 0;
};

struct RoundResult {
  int64_t round = 0;
  JobEnd end;
  KnownAgain again; // of a job that tried known inputs
};

// The result of a job.
struct JobResult {
  const model::TargetReport& found;
  const std::set<std::string>& again; // fingerprints of known findings that occurred again
  uint64_t reached = 0;               // operations that it executed
};

// Records a job and updates `row`.
RoundResult record(Database& database, TargetRow& row, const JobRow& job, const JobResult& result, int64_t run);

// Merges the findings of another hunt in the same function. The next run tries them again before they are believed.
// Returns how many were not known.
uint64_t merge_findings(Database& database, const TargetRow& row, const model::TargetReport& found, int64_t run);

// Merges findings of one function from several hunts by cause (model/collection.h).
std::vector<model::Finding> merged(std::vector<model::Finding> before, const std::vector<model::Finding>& found);

// Joins problems of several functions. A finding without a known cause belongs to the problem that another function's
// finding has at the same line (model/problem.h).
//
// Jobs record the problems of their own function. This turns them into those of the library, so that the number of rows
// equals the number of problems in a report.
void join_shared_places(Database& database);

// Writes the program of a campaign to DIR/programs/HASH.bc, unless it is there, and deletes the programs of earlier
// runs, which no job needs any more. Returns the hash. Jobs on other machines read it; those on this one have it in
// memory. A captured build is written as bitcode with the harnesses made from its sources, so that other machines do
// not need the sources. Throws base::UserError if it cannot be written.
std::string store_program(program::Program& program, const program::Sources& sources, const std::string& folder);

// Copies the campaign's program of this hash to another folder, for machines that see only that one.
void copy_program(const std::string& hash, const std::string& campaign, const std::string& folder);

std::string program_in(const std::string& folder, const std::string& hash); // its path

} // namespace faultline::campaign
