#include "campaign/remote/task_store.h"

#include "campaign/store/campaign_file.h"
#include "campaign/store/schema.h"
#include "finding/settings/table.h"

namespace faultline::campaign {
namespace {

void add(Database& database, const SharedFunction& function, int64_t run) {
  TargetNow now;
  now.symbol = function.row.symbol;
  now.version = function.row.version;
  now.head.function = function.row.function;
  now.head.settings = finding::words_of(finding::said_by(function.settings));
  const int64_t target = add_target(database, now, run);
  TargetRow row = function.row;
  row.id = target;
  store_progress(database, row, {}, row.seconds);
  for (const finding::Finding& finding : function.findings)
    add_finding(database, target, finding, {}, run);
  const int64_t version = database.whole("SELECT program FROM targets WHERE id = ?", target);
  int64_t round = int64_t(row.rounds - function.past.size());
  for (const PastRound& past : function.past) {
    JobEnd end;
    end.news = past.news;
    end_job(database, begin_job(database, {0, target, version, round++, past.arm}, run), end);
  }
}

} // namespace

TaskStore store_of_task(const ShareJob& job) {
  TaskStore store;
  store.database = std::make_unique<Database>(":memory:", Database::Opening::make);
  Database& database = *store.database;
  bring_up_to_date(database);
  store.run = begin_run(database, {"", job.program, {}, 0});
  Transaction transaction(database);
  for (const SharedFunction& function : job.functions)
    add(database, function, store.run);
  transaction.commit();
  store.rows = targets_of(database);
  return store;
}

} // namespace faultline::campaign
