// Two states of a library: which problems are new, fixed, as they were, or changed.
//
// A problem is known again by the fingerprints of its findings, which do not mind that lines have moved; or else by its
// place and class, for a line that was changed and is still wrong.
#pragma once

#include "finding/collection.h"
#include "finding/finding.h"
#include "finding/json/json_place.h"
#include "finding/problem.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::finding {

// How a campaign stands, as plain data: what `faultline campaign status` shows.
struct CampaignRun {
  int64_t id = 0;
  int64_t started = 0; // seconds since 1970
  std::optional<int64_t> ended;
  std::string ending, commit;
};

struct CampaignPoint {
  double seconds = 0; // of all workers
  uint64_t errors = 0, warnings = 0;
  uint64_t evaluations = 0;

  uint64_t problems() const { return errors + warnings; }
};

struct CampaignFunction {
  std::string function;
  uint64_t rounds = 0, evaluations = 0;
  double seconds = 0;
  uint64_t errors = 0, warnings = 0;
  uint64_t quiet = 0; // rounds without news
};

// Problems of tiers error and warning that are still to be found, by an estimate (campaign/campaign_page.h).
struct CampaignUnseen {
  double estimate = 0, low = 0, high = 0;
  uint64_t functions = 0; // that it rests on: those with several rounds
};

struct CampaignStatus {
  std::string folder;
  bool is_running = false;
  uint64_t functions = 0, looked_at = 0, refused = 0, gone = 0;
  uint64_t jobs = 0, cut = 0, evaluations = 0;
  double seconds = 0;
  uint64_t sites = 0, reached = 0; // operations of all functions, and those that were executed
  uint64_t errors = 0, warnings = 0, notes = 0;
  std::optional<CampaignUnseen> unseen; // none: too early to tell
  std::vector<CampaignPoint> curve;
  std::vector<CampaignFunction> most_time; // those that have had most of it
  std::vector<CampaignRun> runs;
};

struct ChangedProblem {
  const Problem* before = nullptr;
  const Problem* after = nullptr;
};

struct Comparison {
  std::vector<Problem> before, after; // all that count, most important first; they point into the reports

  std::vector<const Problem*> fresh;
  std::vector<const Problem*> fixed; // of functions that are still there
  std::vector<const Problem*> gone;  // with their functions
  std::vector<const Problem*> unchanged;
  std::vector<ChangedProblem> changed; // of another tier, or an error at least twice as large or half as large
};

// The reports must outlive it.
Comparison compare(const Report& before, const Report& after);

// Is there a new problem of this tier or a higher one?
bool has_new(const Comparison& comparison, Tier fail_on);

Json to_json(const Comparison& comparison);

// What is known of a function before another search in it: causes whose findings were diagnosed already. Meeting one
// again is counted and costs nothing more, unless it is worse than what is known.
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

// Of findings that have a place.
std::vector<KnownCause> known_causes(const std::vector<Finding>& findings);

// Is all that the entry says known: a cause of these, no higher tier, no more everyday, no error twice as large?
bool says_nothing_new(const Collection::Entry& entry, const std::vector<KnownCause>& known);

// What the page of a campaign shows beside its report, as plain data (report/html.h).

// Of a function.
struct CampaignTarget {
  std::string state; // open, known, refused
  uint64_t rounds = 0, quiet = 0;
  uint64_t reached = 0; // sites
};

// A problem that there is no more.
struct PastProblem {
  std::string tier, fault, file;
  int line = 0;
  std::string function;
};

// What has changed since another page was written.
struct CampaignNews {
  int64_t written = 0;            // when, in seconds since 1970
  int64_t run = 0;                // the last one then
  std::vector<std::string> fresh; // ids of problems
  std::vector<PastProblem> gone;
};

struct CampaignPage {
  CampaignStatus status;
  std::vector<CampaignTarget> targets;       // in the order of the report's
  std::map<std::string, int64_t> first_runs; // by problem's id: the run that found it
  std::optional<CampaignNews> news;          // none: this is the first page
};

} // namespace faultline::finding
