// Compares two states of a library: which problems are new, fixed, unchanged or changed.
//
// A problem is identified by the fingerprints of its findings, which do not depend on line numbers, or else by its
// place and class, for a line that was edited and is still wrong.
#pragma once

#include "model/collection.h"
#include "model/finding.h"
#include "model/json/json_place.h"
#include "model/problem.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::model {

// The state of a campaign, as `faultline campaign status` shows it. Plain data.
struct CampaignRun {
  int64_t id = 0;
  int64_t started = 0; // seconds since 1970
  std::optional<int64_t> ended;
  std::string ending, commit;
};

struct CampaignPoint {
  double seconds = 0; // summed over all workers
  uint64_t errors = 0, warnings = 0;
  uint64_t evaluations = 0;

  uint64_t problems() const { return errors + warnings; }
};

struct CampaignFunction {
  std::string function;
  uint64_t rounds = 0, evaluations = 0;
  double seconds = 0;
  uint64_t errors = 0, warnings = 0;
  uint64_t quiet = 0; // rounds without a new finding
};

// An estimate of the problems of tiers error and warning that remain to be found (campaign/campaign_page.h).
struct CampaignUnseen {
  double estimate = 0, low = 0, high = 0;
  uint64_t functions = 0; // number of functions in the estimate: those with several rounds
};

struct CampaignStatus {
  std::string folder;
  bool is_running = false;
  uint64_t functions = 0, looked_at = 0, refused = 0, gone = 0;
  uint64_t jobs = 0, cut = 0, evaluations = 0;
  double seconds = 0;
  uint64_t sites = 0, reached = 0; // operations of all functions, and those that were executed
  uint64_t errors = 0, warnings = 0, notes = 0;
  std::optional<CampaignUnseen> unseen; // none: too early for an estimate
  std::vector<CampaignPoint> curve;
  std::vector<CampaignFunction> most_time; // the functions with the largest share of the time
  std::vector<CampaignRun> runs;
};

struct ChangedProblem {
  const Problem* before = nullptr;
  const Problem* after = nullptr;
};

struct Comparison {
  std::vector<Problem> before, after; // all that count, most important first; they point into the reports

  std::vector<const Problem*> fresh;
  std::vector<const Problem*> fixed; // of functions that still exist
  std::vector<const Problem*> gone;  // of functions that no longer exist
  std::vector<const Problem*> unchanged;
  std::vector<ChangedProblem> changed; // of another tier, or with an error at least twice or at most half as large
};

// The reports must outlive the result.
Comparison compare(const Report& before, const Report& after);

// True if there is a new problem of this tier or a higher one.
bool has_new(const Comparison& comparison, Tier fail_on);

Json to_json(const Comparison& comparison);

// A cause of a function whose findings were diagnosed by an earlier search. Finding it again is counted, but not
// diagnosed unless it is worse than before.
struct KnownCause {
  Kind kind = Kind::inaccuracy;
  std::string file;
  int line = 0, column = 0;
  std::string operation;
  Tier tier = Tier::note; // the best of its findings, as are the next two
  bool everyday = false;
  double size = 0; // capped_size

  bool operator==(const KnownCause&) const = default;
};

// Returns the causes of the findings that have a place.
std::vector<KnownCause> known_causes(const std::vector<Finding>& findings);

// True if the cause is known and the entry has no higher tier, no more everyday input and no error twice as large.
bool says_nothing_new(const Collection::Entry& entry, const std::vector<KnownCause>& known);

// The data that the page of a campaign shows in addition to its report (report/html.h).

struct CampaignTarget {
  std::string state; // open, known, refused
  uint64_t rounds = 0, quiet = 0;
  uint64_t reached = 0; // sites
};

// A problem that no longer exists.
struct PastProblem {
  std::string tier, fault, file;
  int line = 0;
  std::string function;
};

// The changes since an earlier page.
struct CampaignNews {
  int64_t written = 0;            // time of the earlier page, in seconds since 1970
  int64_t run = 0;                // the last run at that time
  std::vector<std::string> fresh; // ids of problems
  std::vector<PastProblem> gone;
};

struct CampaignPage {
  CampaignStatus status;
  std::vector<CampaignTarget> targets;       // in the order of the report's targets
  std::map<std::string, int64_t> first_runs; // by id of the problem: the run that found it
  std::optional<CampaignNews> news;          // none: this is the first page
};

} // namespace faultline::model
