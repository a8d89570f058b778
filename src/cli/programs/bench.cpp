// The evaluation suites are a program of their own, faultline-bench, which stands beside this one.
#include "base/process.h"
#include "cli/commands.h"
#include "frontend/error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>

namespace faultline::cli {

int bench(const CommandLine& line) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program = (self.parent_path() / "faultline-bench").string();
  std::vector<std::string> words{program};
  words.insert(words.end(), line.typed.begin() + 1, line.typed.end());
  base::become(words);
  throw frontend::UserError(frontend::status_usage, fmt::format("{}: {}", program, std::strerror(errno)),
                            "make build builds it beside faultline");
}

} // namespace faultline::cli
