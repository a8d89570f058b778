#include "base/files.h"
#include "campaign/campaign_page.h"
#include "campaign/store/campaign_file.h"
#include "campaign/store/finding_table.h"
#include "model/problem.h"
#include "targets.h"

#include <array>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::fuzz {
namespace {

using namespace campaign;

// A campaign's folder that lives as long as the process.
class Folder {
public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "faultline-fuzz-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      throw std::runtime_error("mkdtemp failed");
    path_ = pattern;
  }
  ~Folder() {
    if (owner_ == getpid())
      std::filesystem::remove_all(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }
  void clear() const {
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      std::filesystem::remove_all(entry);
  }

private:
  std::string path_;
  pid_t owner_ = getpid();
};

// The values that readers use. Each line of the data begins with the letter of one of them.
constexpr auto columns = std::to_array<std::string_view>({
    "campaign.value",
    "runs.ended",
    "runs.ending",
    "runs.commit_name",
    "targets.function",
    "targets.file",
    "targets.line",
    "targets.state",
    "targets.program",
    "targets.head",
    "targets.outcome",
    "targets.note",
    "targets.rounds",
    "targets.seconds",
    "targets.evaluations",
    "targets.reached",
    "targets.sites",
    "targets.largest",
    "findings.json",
    "findings.file",
    "findings.problem",
    "findings.tier",
    "findings.error",
    "findings.target",
    "findings.until_run",
    "incidence.jobs",
    "jobs.state",
    "jobs.seed",
    "jobs.round",
    "curve.seconds",
    "curve.evaluations",
    "reported.problem",
    "reports.state",
    "targets.granted",
    "targets.everyday_error",
    "targets.largest_everyday",
    "jobs.evaluations",
    "jobs.arm",
});

// The bytes of a small store.
std::string made_store(const std::string& folder) {
  NewCampaign(folder, {{"hunt", "a.c"}, "..", 7, {}}).keep();
  auto database = open_campaign(folder, Database::Opening::change);
  const int64_t run = begin_run(*database, {"commit", "program", {}});
  TargetNow now;
  now.symbol = now.head.function = "f";
  now.version = {"code", "places", "settings"};
  now.head.file = "a.c";
  now.inputs = {{"x", "0", "1", "", ""}};
  const int64_t target = add_target(*database, now, run);
  model::Finding finding;
  finding.input = {{"x", {"1", "0x1p+0"}}};
  finding.values = {1};
  finding.error = {0.5, 0.5, 1, 1};
  finding.cause = {"a.c", 4, 5, "f", "fsub", 1, 1};
  add_finding(*database, target, finding, {"problem", "cancellation", "a.c", 4, false}, run);
  note_incidence(*database, "problem", target, "error");
  begin_job(*database, {0, target, 1, 1, "auto", 1, 100, ""}, run);
  add_point(*database, run, {1, 2, 3, 4, 5});
  const model::Report report = stored_report(*database);
  note_page(*database, "past", shown_problems(report));
  database.reset(); // its log becomes part of the file
  constexpr size_t most = 1 << 20;
  return base::regular_content(store_of(folder), most).value();
}

void change(Database& database, std::string_view line) {
  if (line.empty())
    return;
  const std::string_view place = columns[uint8_t(line[0]) % columns.size()], value = line.substr(1);
  const size_t dot = place.find('.');
  const std::string update = fmt::format("UPDATE OR IGNORE {} SET {} = ?", place.substr(0, dot), place.substr(dot + 1));
  int64_t whole = 0;
  const auto [end, error] = std::from_chars(value.begin(), value.end(), whole);
  try {
    if (error == std::errc() && end == value.end())
      database.run(update, whole);
    else
      database.run(update, value);
  } catch (const base::UserError&) { // the column has another type
  }
}

void read_all(const std::string& folder) {
  const auto database = open_campaign(folder, Database::Opening::read);
  for (const std::optional<int64_t> after : {std::optional<int64_t>(), std::optional<int64_t>(1)}) {
    const model::Report report = stored_report(*database, after);
    (void)campaign_page(*database, folder, shown_problems(report));
  }
  (void)state_of_page(*database);
  for (const TargetRow& row : targets_of(*database)) {
    (void)past_rounds(*database, row.id, row.program);
    (void)findings_of(*database, row.id);
  }
  (void)open_jobs(*database);
}

} // namespace

// The file of a store if the data begins like one, else values that a hostile program may have put into it.
int fuzz_store(const uint8_t* data, size_t size) {
  static const Folder folder;
  static const std::string small = made_store(folder.path());
  folder.clear();
  const std::string_view text = text_of(data, size);
  const bool is_file = text.starts_with("SQLite");
  base::replace_file(store_of(folder.path()), is_file ? text : small);
  if (!is_file) {
    const auto database = open_campaign(folder.path(), Database::Opening::change);
    database->run("PRAGMA foreign_keys = OFF");
    for (size_t from = 0, end = 0; from <= text.size(); from = end + 1) {
      end = std::min(text.find('\n', from), text.size());
      change(*database, text.substr(from, end - from));
    }
  }
  read_all(folder.path());
  return 0;
}

} // namespace faultline::fuzz
