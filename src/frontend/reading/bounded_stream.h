// A file that is read as a stream, up to a limit: a device or a pipe need not have an end.
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <streambuf>
#include <string>

namespace faultline::frontend {

struct ReadLimits {
  uint64_t all;                  // bytes of the whole file
  uint64_t between = UINT64_MAX; // bytes from one mark_progress() to the next
};

class BoundedStream {
public:
  // Throws UserError: it cannot be opened, or is a folder. Reading throws UserError when it comes to a limit, or fails.
  BoundedStream(const std::string& file, const ReadLimits& limits, const std::string& hint);
  ~BoundedStream();
  BoundedStream(const BoundedStream&) = delete;
  BoundedStream& operator=(const BoundedStream&) = delete;

  std::istream& stream() { return stream_; }
  void mark_progress(); // what was read until now has become something, and is not kept as it was

private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
  std::istream stream_;
};

// All of a small file. Throws UserError as above.
std::string bounded_content(const std::string& file, uint64_t most_bytes, const std::string& hint);

} // namespace faultline::frontend
