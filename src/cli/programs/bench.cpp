// The evaluation suites are a program of their own, faultline-bench, which stands beside this one.
#include "cli/commands.h"
#include "frontend/error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::cli {

int bench(const CommandLine& line) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program = (self.parent_path() / "faultline-bench").string();
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (size_t i = 1; i < line.typed.size(); ++i)
    words.push_back(const_cast<char*>(line.typed[i].c_str()));
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
  throw frontend::UserError(frontend::status_usage, fmt::format("{}: {}", program, std::strerror(errno)),
                            "make build builds it beside faultline");
}

} // namespace faultline::cli
