#include "campaign/remote/merging.h"

#include "base/error.h"
#include "campaign/arms.h"
#include "hunt/replay.h"
#include "model/json/finding_json.h"
#include "model/set_aside.h"
#include "model/settings/table.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace faultline::campaign {

using base::status_usage;
using base::UserError;
using model::Finding;

namespace {

constexpr double checkpoint_seconds = 5; // a guess: what may be lost with a machine, against a disk's rest
constexpr size_t chunk = 1 << 18;
// Findings with arrays of 131,072 inputs have some hundred megabytes (store/database.cpp).
constexpr size_t longest_line = size_t(1) << 28;

constexpr uint64_t most_in_transaction = 256; // lines: a guess, at which commits cost little compared to lines
constexpr uint64_t most_told = 5;             // refused lines of a file that are reported individually

[[noreturn]] void refuse(const std::string& what) { throw UserError(status_usage, what, ""); }

uint64_t size_of(const std::string& file) {
  struct stat status {};
  return stat(file.c_str(), &status) == 0 ? uint64_t(status.st_size) : 0;
}

// Returns none if it is not written yet.
std::optional<ResultsHead> head_of(const std::string& file) {
  ResultsReader reader(file, 0);
  const std::optional<ResultsReader::Line> line = reader.next();
  if (!line)
    return std::nullopt;
  if (!line->too_long)
    if (const ShareLine first = parse_line(line->text, file); const auto* head = std::get_if<ResultsHead>(&first))
      return *head;
  throw UserError(status_usage, fmt::format("{}: not a results file", file),
                  "name a file that faultline worker --share wrote");
}

std::string key_of(const ResultsHead& head) {
  return fmt::format("{}/{}", head.run, ResultsName{head.job, head.task}.text());
}

} // namespace

ResultsWriter::ResultsWriter(const ShareFolder& folder, const ResultsHead& head)
    : name_{head.job, head.task}, file_(folder.results_file(name_)),
      descriptor_(open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666)) {
  if (descriptor_ < 0)
    throw UserError(status_usage, fmt::format("{}: {}", file_, std::strerror(errno)),
                    "tasks write to the campaign's folder: it has to be on a file system that they share");
  append(head);
  checkpoint();
}

ResultsWriter::~ResultsWriter() {
  if (descriptor_ >= 0)
    close(descriptor_);
}

void ResultsWriter::append(const ShareLine& line) {
  const std::string text = line_text(line) + "\n";
  ssize_t count = 0;
  do
    count = write(descriptor_, text.data(), text.size());
  while (count < 0 && errno == EINTR);
  if (count != ssize_t(text.size()))
    throw UserError(status_usage,
                    fmt::format("{}: {}", file_, count < 0 ? std::strerror(errno) : "no space left for a whole line"),
                    "make room on the disk: what was written until then is whole");
  since_line_ = base::Stopwatch();
  is_synced_ = false;
}

void ResultsWriter::keep_alive() {
  if (since_line_.seconds() >= alive_seconds)
    append(AliveLine{life_.seconds()});
  if (!is_synced_ && since_sync_.seconds() >= checkpoint_seconds)
    checkpoint();
}

void ResultsWriter::checkpoint() {
  fsync(descriptor_); // best effort: some file systems do not support it
  since_sync_ = base::Stopwatch();
  is_synced_ = true;
}

ResultsReader::ResultsReader(const std::string& file, uint64_t offset)
    : file_(file), descriptor_(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), offset_(offset) {
  struct stat status {};
  const bool plain = descriptor_ >= 0 && fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  if (plain)
    return;
  const std::string why = descriptor_ < 0 ? std::strerror(errno) : "is no plain file";
  if (descriptor_ >= 0)
    close(descriptor_);
  throw UserError(status_usage, fmt::format("{}: {}", file, why), "name a file that faultline worker --share wrote");
}

ResultsReader::~ResultsReader() { close(descriptor_); }

bool ResultsReader::read_more() {
  offset_ += begin_;
  buffer_.erase(0, begin_);
  begin_ = 0;
  const size_t had = buffer_.size();
  buffer_.resize(had + chunk);
  const ssize_t count = pread(descriptor_, buffer_.data() + had, chunk, off_t(offset_ + had));
  buffer_.resize(had + size_t(std::max<ssize_t>(count, 0)));
  if (count < 0 && errno != EINTR)
    throw UserError(status_usage, fmt::format("{}: {}", file_, std::strerror(errno)), "look at the file system");
  return count != 0;
}

std::optional<ResultsReader::Line> ResultsReader::next() {
  size_t looked = begin_;
  for (;;) {
    const size_t end = buffer_.find('\n', looked);
    if (end != std::string::npos) {
      const Line line{std::string_view(buffer_).substr(begin_, end - begin_), std::exchange(skipping_, false),
                      offset_ + end + 1};
      begin_ = end + 1;
      return line;
    }
    if (buffer_.size() - begin_ > longest_line) { // skips to its end
      skipping_ = true;
      begin_ = buffer_.size();
    }
    looked = buffer_.size() - begin_; // read_more() removes the part before begin_
    if (!read_more())
      return std::nullopt;
  }
}

// A file that is being read.
struct Merging::Reading {
  std::string file;
  uint64_t number = 0; // of the line, counted from the offset
  FileNews news = {};
};

Merging::Merging(const RoundsOf& of, std::vector<TargetRow>& rows, OnMerged on_merged)
    : of_(of), rows_(rows), on_merged_(std::move(on_merged)), set_aside_(nullptr, project_of(of.options)) {
  for (size_t i = 0; i < rows.size(); ++i)
    places_.emplace(std::pair(rows[i].function, rows[i].symbol), i);
}

FileNews Merging::merge(const std::string& file) {
  Reading reading{file};
  const uint64_t size = size_of(file);
  auto known = seen_.find(file);
  if (known == seen_.end()) {
    const std::optional<Seen> first = first_look_at(file);
    if (!first)
      return reading.news;
    known = seen_.emplace(file, *first).first;
  }
  if (size <= known->second.read)
    return reading.news;
  ResultsReader reader(file, known->second.read);
  while (merge_some(reader, known->second, reading)) {
  }
  return reading.news;
}

// Returns none if the file is still empty.
std::optional<Merging::Seen> Merging::first_look_at(const std::string& file) {
  try {
    const std::optional<ResultsHead> head = head_of(file);
    if (!head)
      return std::nullopt;
    const std::string key = key_of(*head);
    return Seen{key, uint64_t(of_.database.whole("SELECT read FROM shares WHERE file = ?", key))};
  } catch (const UserError& problem) {
    if (of_.options.tell)
      of_.options.tell(fmt::format("{}; skipped", problem.what()));
    return Seen{"", UINT64_MAX};
  }
}

// Merges some lines and stores the new offset in one transaction. Returns false if there are no more.
bool Merging::merge_some(ResultsReader& reader, Seen& seen, Reading& reading) {
  Transaction transaction(of_.database);
  uint64_t offset = seen.read, lines = 0;
  for (; lines < most_in_transaction; ++lines) {
    const std::optional<ResultsReader::Line> line = reader.next();
    if (!line)
      break;
    offset = line->end_offset;
    take(*line, reading);
  }
  if (lines == 0)
    return false;
  of_.database.run("INSERT INTO shares VALUES (?, ?) ON CONFLICT DO UPDATE SET read = excluded.read", seen.key, offset);
  transaction.commit();
  seen.read = offset;
  reading.news.grew = true;
  return lines == most_in_transaction;
}

void Merging::take(const ResultsReader::Line& text, Reading& reading) {
  ++reading.number;
  std::optional<Next> next;
  try {
    if (text.too_long)
      refuse("is too long");
    ShareLine line = parse_line(text.text, fmt::format("line {}", reading.number));
    if (auto* round = std::get_if<RoundLine>(&line))
      next = next_in(std::move(*round), reading);
    else if (const auto* end = std::get_if<EndLine>(&line))
      reading.news.ending = end->ending;
    else if (const auto* failed = std::get_if<FailedLine>(&line))
      reading.news.failed = failed->why;
  } catch (const UserError& problem) {
    if (++reading.news.refused <= most_told && of_.options.tell)
      of_.options.tell(fmt::format("{}: skipped a line: {}", reading.file, problem.what()));
    return;
  }
  if (next)
    merge(std::move(*next), reading);
}

// Returns none if the store has the round. Throws UserError for an impossible one.
std::optional<Merging::Next> Merging::next_in(RoundLine line, Reading& reading) {
  const std::optional<size_t> i = find(line);
  if (!i)
    refuse(fmt::format("{} is not a function of this campaign, or has changed", line.function));
  const TargetRow& row = rows_[*i];
  if (!is_next(line, row)) {
    if (line.round > int64_t(row.rounds))
      refuse(fmt::format("round {} of {} comes before round {}", line.round, line.function, row.rounds));
    ++reading.news.known;
    return std::nullopt;
  }
  check(line, row);
  return Next{*i, std::move(line)};
}

void Merging::merge(Next next, Reading& reading) {
  RoundLine& line = next.line;
  TargetRow& row = rows_[next.i];
  complete(line, row);
  std::set<std::string> again;
  for (const Finding& finding : line.again)
    again.insert(finding.fingerprint);
  const JobRow job =
      begin_job(of_.database, {0, row.id, row.program, line.round, line.arm, line.seed, line.evaluations}, of_.run);
  const RoundResult recorded = record(of_.database, row, job, {line.found, again, line.reached}, of_.run);
  ++reading.news.merged;
  on_merged_(next.i, recorded);
}

std::optional<size_t> Merging::find(const RoundLine& line) const {
  const auto place = places_.find({line.function, line.symbol});
  if (place == places_.end() || !(rows_[place->second].version == line.version))
    return std::nullopt;
  return place->second;
}

bool Merging::is_next(const RoundLine& line, const TargetRow& row) const {
  if (line.round == known_inputs_round)
    return row.state == TargetState::known && line.known == hash_of_known(of_.database, row.id);
  if (line.round == diagnosis_round)
    return row.state == TargetState::undiagnosed;
  const bool is_searched = row.state == TargetState::open || row.state == TargetState::undiagnosed;
  return is_searched && line.round == int64_t(row.rounds);
}

// Throws UserError if a task with this function would not send the line.
void Merging::check(const RoundLine& line, const TargetRow& row) const {
  const uint64_t seed =
      line.round < first_look_round ? of_.seed : next_round({row.symbol, of_.seed, row.rounds, {}}, arms_for({})).seed;
  if (line.seed != seed)
    refuse(fmt::format("round {} of {} belongs to another campaign", line.round, line.function));
  if (line.found.function != line.function || line.evaluations == 0 || !is_arm(line.arm))
    refuse(fmt::format("round {} of {} is incomplete", line.round, line.function));
  for (const Finding& finding : line.found.findings) {
    const bool fits =
        std::ranges::equal(finding.input, line.found.inputs, {}, &model::NamedNumber::name, &model::InputRange::name);
    if (!fits || finding.id != identify(line.function, finding))
      refuse(fmt::format("a finding in it does not belong to {}", line.function));
  }
}

// Adds the fields that require the sources and the command.
void Merging::complete(RoundLine& line, const TargetRow& row) {
  model::TargetReport& found = line.found;
  if (found.findings.empty() && line.again.empty())
    return;
  Rows rows = of_.database.ask("SELECT head FROM targets WHERE id = ?", row.id);
  rows.next();
  const model::TargetReport head = model::parse_target(rows.text(0), of_.database.file());
  found.file = head.file; // for a harness, it is not in the program
  found.line = head.line;
  const model::Settings settings = settings_of({line.round, line.arm, line.seed, line.evaluations},
                                               read_settings(model::raw_settings_in(head.settings)));
  for (Finding& finding : found.findings) {
    finding.replay = replay_command(of_.options, settings, found, finding);
    finding.explain = explain_command(of_.options, settings, found, finding);
    set_aside_.apply(found, finding);
  }
  for (Finding& finding : line.again)
    set_aside_.apply(found, finding);
}

bool is_results_file(const std::string& file) {
  try {
    return head_of(file).has_value();
  } catch (const UserError&) {
    return false;
  }
}

std::string hash_of_known(Database& database, int64_t target) {
  model::Hash hash;
  Rows rows =
      database.ask("SELECT finding FROM findings WHERE target = ? AND until_run IS NULL ORDER BY finding", target);
  while (rows.next())
    hash.add(rows.text(0));
  return hash.text();
}

} // namespace faultline::campaign
