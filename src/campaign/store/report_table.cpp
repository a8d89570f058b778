#include "campaign/store/report_table.h"

#include "campaign/store/campaign_file.h"
#include "finding/names.h"
#include "frontend/error.h"

#include <fmt/format.h>

namespace faultline::campaign {
namespace {

std::vector<PastProblem> problems_in(Database& database, int64_t page) {
  std::vector<PastProblem> problems;
  Rows rows = database.ask("SELECT problem, fingerprint, tier, class, file, line, function FROM reported "
                           "WHERE report = ? ORDER BY tier, file, line, problem",
                           page);
  while (rows.next()) {
    if (problems.empty() || problems.back().id != rows.text(0))
      problems.push_back(
          {{rows.text(2), rows.text(3), rows.text(4), int(rows.whole(5)), rows.text(6)}, rows.text(0), {}});
    problems.back().fingerprints.push_back(rows.text(1));
  }
  return problems;
}

} // namespace

std::string state_of_page(Database& database) {
  return fmt::format(
      "{} {} {} {}", database.whole("SELECT max(id) FROM runs"), database.whole("SELECT sum(evaluations) FROM targets"),
      database.whole("SELECT count(*) FROM jobs WHERE state = 'done'"), database.whole("SELECT max(id) FROM findings"));
}

std::optional<PastPage> last_page(Database& database) {
  Rows rows = database.ask("SELECT id, written, run FROM reports WHERE state <> ? ORDER BY id DESC LIMIT 1",
                           state_of_page(database));
  if (!rows.next())
    return std::nullopt;
  return PastPage{rows.whole(1), rows.whole(2), problems_in(database, rows.whole(0))};
}

void note_page(Database& database, const std::string& state, const std::vector<finding::Problem>& problems) {
  Transaction transaction(database);
  if (database.whole("SELECT EXISTS (SELECT 1 FROM reports WHERE id = (SELECT max(id) FROM reports) AND state = ?)",
                     state) != 0)
    return;
  database.run("INSERT INTO reports (written, run, state) VALUES (?, (SELECT coalesce(max(id), 0) FROM runs), ?)",
               seconds_now(), state);
  const int64_t page = database.last_row();
  for (const finding::Problem& problem : problems)
    for (const finding::Evidence& evidence : problem.findings)
      database.run("INSERT OR IGNORE INTO reported VALUES (?, ?, ?, ?, ?, ?, ?, ?)", page, problem.id,
                   evidence.finding->fingerprint, finding::text(problem.tier), problem.fault, problem.file,
                   problem.line, problem.target().function);
  database.run(
      "DELETE FROM reports WHERE id < (SELECT min(id) FROM (SELECT id FROM reports ORDER BY id DESC LIMIT 2))");
  transaction.commit();
}

} // namespace faultline::campaign
