// The text of source files, each read once. What cannot be read (bitcode may come without its source) has no lines.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace faultline::finding {

class SourceText {
public:
  const std::vector<std::string>& lines(const std::string& file);
  // Counted from 1. None if the file is shorter, or cannot be read.
  const std::string* line(const std::string& file, int number);

private:
  std::map<std::string, std::vector<std::string>> files_;
};

} // namespace faultline::finding
