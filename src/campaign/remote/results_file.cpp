#include "campaign/remote/results_file.h"

#include "frontend/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace faultline::campaign {

using frontend::status_usage;
using frontend::UserError;

namespace {

constexpr double checkpoint_seconds = 5; // a guess: what may be lost with a machine, against a disk's rest
constexpr size_t chunk = 1 << 18;
// Findings with arrays of 131,072 inputs have some hundred megabytes (store/database.cpp).
constexpr size_t longest_line = size_t(1) << 28;

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
  fsync(descriptor_); // a file system that cannot keeps what it can
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
    if (buffer_.size() - begin_ > longest_line) { // its end is looked for, and nothing of it kept
      skipping_ = true;
      begin_ = buffer_.size();
    }
    looked = buffer_.size() - begin_; // after what is given has gone
    if (!read_more())
      return std::nullopt;
  }
}

} // namespace faultline::campaign
