#include "cli/terminal/remarks.h"

#include "report/excerpt.h"

#include <cstdio>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <sstream>

namespace faultline::cli {

void tell_remark(const std::string& text) {
  std::istringstream lines(text);
  std::string line, shown;
  while (std::getline(lines, line))
    shown += report::printable(line) + "\n";
  fmt::print(stderr, "faultline: {}", shown);
}

void tell_remark_once(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> told; // of the process: standard error is its own, too
  const std::lock_guard lock(mutex);
  if (told.insert(text).second)
    tell_remark(text);
}

} // namespace faultline::cli
