// Bytes as a file, for readers that want the name of one. Nothing is written to a disk, and nothing is left behind.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace faultline::fuzz {

class MemoryFile {
public:
  explicit MemoryFile(std::string_view content) : descriptor_(memfd_create("faultline-fuzz", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || write(descriptor_, content.data(), content.size()) != ssize_t(content.size()))
      throw std::system_error(errno, std::generic_category(), "memfd");
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
  int descriptor_;
};

} // namespace faultline::fuzz
