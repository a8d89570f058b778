#include "frontend/compiling/unnamed_file.h"

#include <algorithm>
#include <cerrno>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace faultline::frontend {

UnnamedFile::UnnamedFile() : descriptor_(memfd_create("faultline", MFD_CLOEXEC)) {
  if (descriptor_ < 0)
    throw std::system_error(errno, std::generic_category(), "memfd_create");
}

UnnamedFile::~UnnamedFile() { close(descriptor_); }

void UnnamedFile::fill(std::string_view text) const {
  for (size_t at = 0; at < text.size();) {
    const ssize_t count = pwrite(descriptor_, text.data() + at, text.size() - at, off_t(at));
    if (count < 0 && errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "a file in memory");
    at += count < 0 ? 0 : size_t(count);
  }
}

std::string UnnamedFile::content(size_t most) const {
  struct stat status {};
  fstat(descriptor_, &status);
  std::string text(std::min(most, size_t(status.st_size)), '\0');
  for (size_t at = 0; at < text.size();) {
    const ssize_t count = pread(descriptor_, text.data() + at, text.size() - at, off_t(at));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      text.resize(at);
      break;
    }
    at += size_t(count);
  }
  return text;
}

} // namespace faultline::frontend
