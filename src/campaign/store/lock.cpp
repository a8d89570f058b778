#include "campaign/store/lock.h"

#include "frontend/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::campaign {

using frontend::status_usage;
using frontend::UserError;

namespace {

std::string file_in(const std::string& folder) { return folder + "/run.lock"; }

struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

} // namespace

RunLock::RunLock(const std::string& folder)
    : descriptor_(open(file_in(folder).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666)) {
  if (descriptor_ < 0)
    throw UserError(status_usage, fmt::format("{}: {}", file_in(folder), std::strerror(errno)),
                    "name the folder of a campaign that you may write to");
  struct flock lock = whole_file();
  if (fcntl(descriptor_, F_SETLK, &lock) == 0)
    return;
  const int reason = errno;
  close(descriptor_);
  if (reason != EACCES && reason != EAGAIN)
    throw UserError(status_usage, fmt::format("{}: cannot be locked: {}", file_in(folder), std::strerror(reason)),
                    "a campaign lies on a file system of this machine; others take part by files (docs/campaigns.md)");
  const pid_t holder = holder_of_lock(folder).value_or(0);
  throw UserError(
      status_usage,
      fmt::format("{}: a run is under way{}", folder, holder > 0 ? fmt::format(", process {}", holder) : ""),
      fmt::format("faultline campaign stop {}, or wait for it", folder));
}

RunLock::~RunLock() { close(descriptor_); }

std::optional<pid_t> holder_of_lock(const std::string& folder) {
  const int descriptor = open(file_in(folder).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0)
    return std::nullopt;
  struct flock lock = whole_file();
  const bool asked = fcntl(descriptor, F_GETLK, &lock) == 0;
  close(descriptor);
  if (!asked || lock.l_type == F_UNLCK)
    return std::nullopt;
  return std::max(lock.l_pid, 0);
}

} // namespace faultline::campaign
