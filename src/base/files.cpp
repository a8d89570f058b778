#include "base/files.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <linux/magic.h>
#include <streambuf>
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

[[noreturn]] void fail_with(int error) { throw std::system_error(error, std::generic_category()); }

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
    fail_with(errno);
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
      fail_with(errno);
    done += count < 0 ? 0 : static_cast<size_t>(count);
  }
}

void NewFile::rename_to(const std::string& target) {
  if (!named_ && !give_name(target))
    give_passing_name();
  const int descriptor = std::exchange(descriptor_, -1);
  if (close(descriptor) != 0 || (named_ && std::rename(path_.c_str(), target.c_str()) != 0))
    fail_with(errno);
  named_ = false;
}

bool NewFile::give_name(const std::string& name) const {
  return linkat(AT_FDCWD, name_of(descriptor_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

// Gives the file a temporary name, because an existing file of the name can only be replaced by a rename.
void NewFile::give_passing_name() {
  const int taken = errno == EEXIST ? mkstemp(path_.data()) : -1; // a unique name
  if (taken < 0)
    fail_with(errno);
  close(taken);
  unlink(path_.c_str());
  if (!give_name(path_))
    fail_with(errno);
  named_ = true;
}

void replace_file(const std::string& path, std::string_view content) {
  NewFile file(path);
  file.write(content);
  file.rename_to(path);
}

bool is_inside(const std::string& path, const std::string& folder) {
  return path == folder || (path.starts_with(folder) && (folder == "/" || path[folder.size()] == '/'));
}

bool is_below(const std::string& path, const std::vector<std::string>& folders) {
  return std::ranges::any_of(folders, [&](const std::string& folder) { return is_inside(path, folder); });
}

void ProjectFiles::add(const std::vector<std::string>& files) {
  std::ranges::copy_if(files, std::back_inserter(folders_),
                       [&](const std::string& file) { return !is_below(file, folders_); });
}

std::optional<RegularFile> ProjectFiles::open(const std::string& file) const {
  static const std::vector<std::string> headers = {"/usr/include", "/usr/lib", "/usr/local/include", "/nix/store",
                                                   "/gnu/store"};
  std::optional<RegularFile> found = open_regular(file);
  if (!found)
    return std::nullopt;
  const auto shows = [&](const std::string& folder) {
    return is_inside(found->path, folder) && found->path.find("/.", folder.size()) == std::string::npos;
  };
  const bool belongs = std::ranges::any_of(folders_, shows) || std::ranges::any_of(headers, shows);
  return belongs ? std::move(found) : std::nullopt;
}

namespace {

std::string size_text(uint64_t bytes) {
  return bytes >> 30 ? fmt::format("{} GiB", bytes >> 30) : fmt::format("{} MiB", bytes >> 20);
}

} // namespace

class BoundedStream::Buffer final : public std::streambuf {
public:
  Buffer(const std::string& file, const ReadLimits& limits, const std::string& hint)
      : file_(file), limits_(limits), hint_(hint), descriptor_(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat status {};
    if (descriptor_ < 0 || fstat(descriptor_, &status) != 0)
      refuse(std::strerror(errno));
    if (S_ISDIR(status.st_mode))
      refuse(std::strerror(EISDIR));
  }
  ~Buffer() override {
    if (descriptor_ >= 0)
      close(descriptor_);
  }

  void mark_progress() { since_ = read_ - uint64_t(egptr() - gptr()); }

protected:
  int_type underflow() override {
    if (read_ > limits_.all)
      refuse(fmt::format("exceeds the limit of {}", size_text(limits_.all)));
    if (read_ - since_ > limits_.between)
      refuse(fmt::format("has a part that exceeds the limit of {}", size_text(limits_.between)));
    ssize_t count = 0;
    while ((count = ::read(descriptor_, block_.data(), block_.size())) < 0)
      if (errno != EINTR)
        refuse(std::strerror(errno));
    read_ += uint64_t(count);
    setg(block_.data(), block_.data(), block_.data() + count);
    return count == 0 ? traits_type::eof() : traits_type::to_int_type(*gptr());
  }

private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw UserError(status_usage, fmt::format("{}: {}", file_, what), hint_);
  }

  std::string file_;
  ReadLimits limits_;
  std::string hint_;
  int descriptor_;
  uint64_t read_ = 0, since_ = 0;
  std::array<char, 1 << 16> block_;
};

BoundedStream::BoundedStream(const std::string& file, const ReadLimits& limits, const std::string& hint)
    : buffer_(std::make_unique<Buffer>(file, limits, hint)), stream_(buffer_.get()) {
  stream_.exceptions(std::ios::badbit); // lets the buffer's own exceptions pass
}
BoundedStream::~BoundedStream() = default;

void BoundedStream::mark_progress() { buffer_->mark_progress(); }

std::string bounded_content(const std::string& file, uint64_t most_bytes, const std::string& hint) {
  BoundedStream bounded(file, {most_bytes}, hint);
  return {std::istreambuf_iterator<char>(bounded.stream()), {}};
}

} // namespace faultline::base
