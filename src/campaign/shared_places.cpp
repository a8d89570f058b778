#include "campaign/shared_places.h"

#include "finding/json/finding_json.h"
#include "finding/problem.h"

#include <fmt/format.h>
#include <map>
#include <utility>
#include <vector>

namespace faultline::campaign {
namespace {

using Place = std::pair<std::string, int64_t>; // file and line

// Those that several functions reach; and those of what has joined a problem before, which may be gone.
std::vector<Place> shared_places(Database& database) {
  std::vector<Place> places;
  Rows rows = database.ask("SELECT DISTINCT file, line FROM findings v WHERE vague AND until_run IS NULL AND "
                           "(class NOT IN ('inaccuracy', 'bound-violated') OR EXISTS "
                           "(SELECT 1 FROM findings f WHERE f.until_run IS NULL AND f.file = v.file AND "
                           "f.line = v.line AND f.target <> v.target))");
  while (rows.next())
    places.emplace_back(rows.text(0), rows.whole(1));
  return places;
}

// All that was found there.
class PlaceReport {
public:
  PlaceReport(Database& database, const Place& place) {
    Rows rows = database.ask("SELECT f.id, f.json, t.id, t.head FROM findings f JOIN targets t ON t.id = f.target "
                             "WHERE f.until_run IS NULL AND f.file = ? AND f.line = ? ORDER BY t.id, f.id",
                             place.first, place.second);
    std::vector<std::vector<int64_t>> ids;
    int64_t last = 0;
    while (rows.next()) {
      if (rows.whole(2) != last) {
        last = rows.whole(2);
        report_.targets.push_back(
            finding::parse_target(rows.text(3), fmt::format("{}, target {}", database.file(), last)));
        ids.emplace_back();
      }
      ids.back().push_back(rows.whole(0));
      report_.targets.back().findings.push_back(
          finding::parse_finding(rows.text(1), fmt::format("{}, finding {}", database.file(), rows.whole(0))));
    }
    for (size_t t = 0; t < ids.size(); ++t)
      for (size_t f = 0; f < ids[t].size(); ++f)
        rows_[&report_.targets[t].findings[f]] = ids[t][f];
  }

  void store_problems(Database& database) const {
    for (const finding::Problem& problem : problems_of(report_))
      for (const finding::Evidence& evidence : problem.findings)
        database.run("UPDATE findings SET problem = ?1, class = ?2 WHERE id = ?3 AND problem <> ?1", problem.id,
                     problem.fault, rows_.at(evidence.finding));
  }

private:
  finding::Report report_;
  std::map<const finding::Finding*, int64_t> rows_;
};

} // namespace

void join_shared_places(Database& database) {
  const std::vector<Place> places = shared_places(database);
  if (places.empty())
    return;
  Transaction transaction(database);
  for (const Place& place : places)
    PlaceReport(database, place).store_problems(database);
  transaction.commit();
}

} // namespace faultline::campaign
