// Files that data names, or that other users may have prepared. Reading takes regular files only: it never waits at a
// pipe and has no effect on a device. Writing makes a new file and gives it its name when it is complete: a link of
// that name is replaced, not followed.
#pragma once

#include "base/process.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace faultline::base {

struct RegularFile {
  Descriptor descriptor; // for reading
  std::string path;      // the real one, without links
  uint64_t bytes = 0;
};

// Returns nothing, with errno set, for a file that is missing, that is not regular (EINVAL), or that belongs to the
// kernel (EINVAL): those in /proc and /sys have no size, and reading some of them waits or changes them.
std::optional<RegularFile> open_regular(const std::string& path);

// Returns the content, or the first `most` bytes of it.
std::string content_of(const RegularFile& file, size_t most);

// Returns the last `most` bytes of a file that may grow; empty if it cannot be opened.
std::string last_bytes(const std::string& path, size_t most);

// The same as content_of for a path; nothing if it cannot be opened.
std::optional<std::string> regular_content(const std::string& path, size_t most);

// A file that gets its name when it is complete. If the file system supports it, the file has no name until then, so
// that nothing is left behind even if the process is killed. Members throw std::system_error.
class NewFile {
public:
  explicit NewFile(const std::string& target);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view text);
  void rename_to(const std::string& target);

private:
  bool give_name(const std::string& name) const;
  void give_passing_name();

  std::string path_;
  int descriptor_ = -1;
  bool named_ = false; // true if path_ exists
};

// Makes the file, or replaces it. Throws std::system_error.
void replace_file(const std::string& path, std::string_view content);

} // namespace faultline::base
