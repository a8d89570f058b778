// A file without a name: nothing is left behind, whatever happens to us.
#pragma once

#include <cstddef>
#include <string>

namespace faultline::frontend {

class UnnamedFile {
public:
  UnnamedFile();
  ~UnnamedFile();
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::string content(size_t most = std::string::npos) const; // from its beginning

private:
  int descriptor_;
};

} // namespace faultline::frontend
