#include "base/files.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace faultline::base {

namespace {

// File systems whose files are made by the kernel when they are read. The numbers of those that linux/magic.h lacks are
// from statfs(2).
constexpr uint64_t kernel_file_systems[] = {
    PROC_SUPER_MAGIC, SYSFS_MAGIC,         DEBUGFS_MAGIC, TRACEFS_MAGIC,  SECURITYFS_MAGIC, CGROUP_SUPER_MAGIC,
    BPF_FS_MAGIC,     CGROUP2_SUPER_MAGIC, SELINUX_MAGIC, PSTOREFS_MAGIC, EFIVARFS_MAGIC,   0x62656570 /* configfs */};

bool is_kernels(int descriptor) {
  struct statfs system {};
  return fstatfs(descriptor, &system) != 0 ||
         std::ranges::find(kernel_file_systems, uint64_t(system.f_type)) != std::end(kernel_file_systems);
}

std::string name_of(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

[[noreturn]] void fail(int error) { throw std::system_error(error, std::generic_category()); }

std::string bytes_of(const RegularFile& file, uint64_t begin, size_t count_of_bytes) {
  std::string text(count_of_bytes, '\0');
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = pread(file.descriptor.number(), text.data() + done, text.size() - done, off_t(begin + done));
    if (count == 0 || (count < 0 && errno != EINTR))
      break;
    done += size_t(std::max<ssize_t>(count, 0));
  }
  text.resize(done);
  return text;
}

} // namespace

std::optional<RegularFile> open_regular(const std::string& path) {
  const Descriptor place(open(path.c_str(), O_PATH | O_CLOEXEC)); // has no effect on what it names
  struct stat status {};
  if (place.number() < 0 || fstat(place.number(), &status) != 0)
    return std::nullopt;
  if (!S_ISREG(status.st_mode) || is_kernels(place.number())) {
    errno = EINVAL;
    return std::nullopt;
  }
  const std::string name = name_of(place.number());
  char real[PATH_MAX];
  const ssize_t length = readlink(name.c_str(), real, sizeof real);
  RegularFile file{Descriptor(open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)),
                   length < 0 ? path : std::string(real, size_t(length)), uint64_t(status.st_size)};
  return file.descriptor.number() < 0 ? std::nullopt : std::optional(std::move(file));
}

std::string content_of(const RegularFile& file, size_t most) {
  return bytes_of(file, 0, size_t(std::min<uint64_t>(file.bytes, most)));
}

std::string last_bytes(const std::string& path, size_t most) {
  const std::optional<RegularFile> file = open_regular(path);
  const uint64_t count = file ? std::min<uint64_t>(file->bytes, most) : 0;
  return file ? bytes_of(*file, file->bytes - count, size_t(count)) : "";
}

std::optional<std::string> regular_content(const std::string& path, size_t most) {
  const std::optional<RegularFile> file = open_regular(path);
  return file ? std::optional(content_of(*file, most)) : std::nullopt;
}

NewFile::NewFile(const std::string& target) : path_(target + ".XXXXXX") {
  const std::filesystem::path folder = std::filesystem::path(target).parent_path();
  descriptor_ = open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  named_ = descriptor_ < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL);
  if (named_)
    descriptor_ = mkstemp(path_.data());
  if (descriptor_ < 0)
    fail(errno);
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor_, 0666 & ~mask); // it was private before
}

NewFile::~NewFile() {
  if (descriptor_ >= 0)
    close(descriptor_);
  if (named_)
    unlink(path_.c_str());
}

void NewFile::write(std::string_view text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(descriptor_, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR)
      fail(errno);
    done += count < 0 ? 0 : static_cast<size_t>(count);
  }
}

void NewFile::rename_to(const std::string& target) {
  if (!named_ && !give_name(target))
    give_passing_name();
  const int descriptor = std::exchange(descriptor_, -1);
  if (close(descriptor) != 0 || (named_ && std::rename(path_.c_str(), target.c_str()) != 0))
    fail(errno);
  named_ = false;
}

bool NewFile::give_name(const std::string& name) const {
  return linkat(AT_FDCWD, name_of(descriptor_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

// Gives the file a temporary name, because an existing file of the name can only be replaced by a rename.
void NewFile::give_passing_name() {
  const int taken = errno == EEXIST ? mkstemp(path_.data()) : -1; // a unique name
  if (taken < 0)
    fail(errno);
  close(taken);
  unlink(path_.c_str());
  if (!give_name(path_))
    fail(errno);
  named_ = true;
}

void replace_file(const std::string& path, std::string_view content) {
  NewFile file(path);
  file.write(content);
  file.rename_to(path);
}

} // namespace faultline::base
