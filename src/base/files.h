// Files that data names, or that other users may have prepared. Reading takes regular files only: it never waits at a
// pipe and has no effect on a device. Writing makes a new file and gives it its name when it is complete: a link of
// that name is replaced, not followed.
#pragma once

#include "base/process.h"

#include <cstddef>
#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// Limits for reading a file as a stream: a device or a pipe may be endless.
struct ReadLimits {
  uint64_t all;                  // bytes of the whole file
  uint64_t between = UINT64_MAX; // bytes from one mark_progress() to the next
};

class BoundedStream {
public:
  // Throws UserError if the file cannot be opened or is a folder. Reading throws UserError at a limit or on failure.
  BoundedStream(const std::string& file, const ReadLimits& limits, const std::string& hint);
  ~BoundedStream();
  BoundedStream(const BoundedStream&) = delete;
  BoundedStream& operator=(const BoundedStream&) = delete;

  std::istream& stream() { return stream_; }
  void mark_progress(); // what was read so far has been processed and is not kept

private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
  std::istream stream_;
};

// Returns all of a small file. Throws UserError as above.
std::string bounded_content(const std::string& file, uint64_t most_bytes, const std::string& hint);

// True if the path, which has no links, is the folder or below it.
bool is_inside(const std::string& path, const std::string& folder);

// True if the path, which has no links, is one of the folders or below one of them.
bool is_below(const std::string& path, const std::vector<std::string>& folders);

// The files of a project, which reports may show (program/project_files.h).
class ProjectFiles {
public:
  explicit ProjectFiles(const std::vector<std::string>& folders) : folders_(folders) {}

  // Opens a file of the project, or a header of the system, by any path. Nothing for other files, for hidden ones
  // (.env, .git/config), and for files that are not regular.
  std::optional<RegularFile> open(const std::string& file) const;

  void add(const std::vector<std::string>& files);

private:
  std::vector<std::string> folders_;
};

} // namespace faultline::base
