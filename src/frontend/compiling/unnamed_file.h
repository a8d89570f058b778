// A file without a name: nothing is left behind, whatever happens to us.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace faultline::frontend {

class UnnamedFile {
public:
  UnnamedFile();
  ~UnnamedFile();
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;

  int descriptor() const { return descriptor_; }
  void fill(std::string_view text) const;                     // who reads it starts at its beginning
  std::string content(size_t most = std::string::npos) const; // from its beginning

private:
  int descriptor_;
};

} // namespace faultline::frontend
