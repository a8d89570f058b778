// The pages that were written of a campaign: what the last one showed, so that the next one can tell what is new.
#pragma once

#include "campaign/store/database.h"
#include "finding/campaign/page.h"
#include "finding/problem.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

// Problems that a page showed, and by what they are known again.
struct PastProblem {
  finding::PastProblem told;
  std::string id;
  std::vector<std::string> fingerprints;
};

struct PastPage {
  int64_t written = 0; // seconds since 1970
  int64_t run = 0;     // the last one then
  std::vector<PastProblem> problems;
};

// The last page of another state than the present one: a page that is written twice says the same. None: there is none.
std::optional<PastPage> last_page(Database& database);

// What tells states of the campaign apart: whatever changes what a page shows changes it.
std::string state_of_page(Database& database);

// To be called when a page is written, with the state that it shows. Nothing changes if that was noted before.
void note_page(Database& database, const std::string& state, const std::vector<finding::Problem>& problems);

} // namespace faultline::campaign
