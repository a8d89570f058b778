#include "base/landlock.h"

#include <algorithm>
#include <cstdint>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace faultline::base {

namespace {

// The kernel's interface, from its documentation: Debian 12's headers have only the first two versions.
constexpr uint32_t ask_for_version = 1;
constexpr uint32_t path_beneath = 1;
constexpr uint64_t may_execute = 1u << 0, may_read_file = 1u << 2, may_read_folder = 1u << 3;
constexpr uint64_t all_signals_and_sockets = 3; // scoped: abstract sockets and signals stay inside

struct Ruleset {
  uint64_t files = 0, net = 0, scoped = 0; // refused unless a rule allows it
};
struct [[gnu::packed]] PathRule {
  uint64_t allowed = 0;
  int32_t parent = -1;
};

int version() { return int(syscall(SYS_landlock_create_ruleset, nullptr, 0, ask_for_version)); }

// Returns all rights on files in a version of the interface: 13 in the first, then refer, truncate and ioctl on
// devices.
uint64_t rights_of(int version) {
  const int bits = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  return (uint64_t(1) << bits) - 1;
}

// The kernel refuses a structure that has unknown nonzero fields.
Ruleset refused_by(int version) {
  return {rights_of(version), version >= 4 ? uint64_t(3) : 0, version >= 6 ? all_signals_and_sockets : 0};
}

bool allow(int ruleset, const std::string& path, uint64_t rights) {
  const int descriptor = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (descriptor < 0)
    return true; // the path does not exist: nothing to allow
  struct stat status = {};
  if (fstat(descriptor, &status) == 0 && !S_ISDIR(status.st_mode))
    rights &= ~may_read_folder;
  const PathRule rule{rights, descriptor};
  const bool allowed = syscall(SYS_landlock_add_rule, ruleset, path_beneath, &rule, 0) == 0;
  close(descriptor);
  return allowed;
}

// Replaces the process's restrictions by stricter ones.
bool restrict_to(const Ruleset& refused, size_t bytes, const Readable& readable) {
  const int ruleset = int(syscall(SYS_landlock_create_ruleset, &refused, bytes, 0));
  if (ruleset < 0)
    return false;
  const auto allow_all = [&](const std::vector<std::string>& paths, uint64_t rights) {
    return std::ranges::all_of(paths, [&](const std::string& path) { return allow(ruleset, path, rights); });
  };
  const bool made = allow_all(readable.paths, refused.files & (may_read_file | may_read_folder)) &&
                    allow_all(readable.executables, refused.files & (may_read_file | may_read_folder | may_execute));
  const bool restricted = made && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  close(ruleset);
  return restricted;
}

} // namespace

bool has_landlock() { return version() >= 1; }

bool open_only(const Readable& readable) {
  const int known = version();
  const size_t bytes = known >= 6 ? sizeof(Ruleset) : known >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
  return known >= 1 && restrict_to(refused_by(known), bytes, readable);
}

bool read_only_from(const std::vector<std::string>& paths) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && restrict_to({may_read_file, 0, 0}, sizeof(uint64_t), {paths});
}

} // namespace faultline::base
