#include "frontend/sources.h"

#include "frontend/error.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace faultline::frontend {

namespace {

std::string shown(uint64_t bytes) {
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
      refuse(fmt::format("exceeds the limit of {}", shown(limits_.all)));
    if (read_ - since_ > limits_.between)
      refuse(fmt::format("has a part that exceeds the limit of {}", shown(limits_.between)));
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

} // namespace faultline::frontend
