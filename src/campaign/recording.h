// What a job has found becomes part of what is known of its function: one transaction a job, so that it is done, with
// all that it found, or was never there.
#pragma once

#include "campaign/store/database.h"
#include "campaign/store/finding_table.h"
#include "finding/report.h"
#include "frontend/program.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace faultline::campaign {

// Which function has the next turn: first looks for all, then those where something new is still coming, by what they
// brought of late a second; in between those whose problems are still to be diagnosed; and now and then the one that
// has had least, so that nobody is forgotten.

// What a job has brought, for the choice: how much it weighs.
struct News {
  uint64_t problems = 0;     // of tiers error and warning
  uint64_t notes = 0;        // problems that are told beside them
  bool larger_error = false; // at everyday inputs, at least twice as large
  double new_sites = 0;      // operations that had not been executed before, as a share of all
};
double weight_of(const News& news);

// After a job: news of long ago fade.
void add_news(TargetRow& row, double weight, double seconds);

// What a function's next job is: the number of a round, or one of those that stand for no search (store/job_table.h).
// As long as its rounds bring something new they are short; then what they have found is diagnosed, all at once.
// `evaluations`: of each function, in all runs together.
int64_t next_job_of(const TargetRow& row, std::optional<uint64_t> evaluations);
// Is a round of this number short? Then it tells what is wrong and where, and no more.
bool is_short(const TargetRow& row, int64_t round);

struct Candidate {
  const TargetRow* row = nullptr;
  bool busy = false;    // a job of it is under way, or it has had all that it may
  int64_t next_job = 0; // next_job_of
};

// `turn`: jobs that were begun so far. None: nobody can have a turn now.
std::optional<size_t> choose(const std::vector<Candidate>& candidates, uint64_t turn);

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

// What one function alone cannot know: a finding that says only that something is wrong at a line belongs to the
// problem that another function's finding has there (finding/problem.h).
//
// Jobs record the problems of their own function. This makes them those of the library, so that whoever counts rows
// counts what a report shows.
void join_shared_places(Database& database);

// The program of a campaign in a folder, by its content: DIR/programs/HASH.bc. Jobs that run on other machines read it;
// those on this one have it in memory.

// Writes it, unless it is there, and deletes those of earlier runs, which no job asks for any more. Returns the hash.
// What a build has captured is written as bitcode, with the harnesses that were made from its sources: other machines
// need not have these. Throws frontend::UserError: it cannot be written.
std::string store_program(frontend::Program& program, const frontend::Sources& sources, const std::string& folder);

// Copies the campaign's program of this hash to another folder, for machines that see that one.
void copy_program(const std::string& hash, const std::string& campaign, const std::string& folder);

std::string program_in(const std::string& folder, const std::string& hash); // the file

} // namespace faultline::campaign
