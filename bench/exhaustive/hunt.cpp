#include "hunt.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace faultline::bench {
namespace {

using Json = nlohmann::json;

// What the command writes to standard output.
std::string output_of(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe(ends) != 0)
    throw std::runtime_error("no pipe");
  std::vector<char*> words;
  for (const std::string& word : command)
    words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  pid_t child = 0;
  const int problem = posix_spawn(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t size = 0; (size = read(ends[0], buffer, sizeof buffer)) > 0 || (size < 0 && errno == EINTR);)
    text.append(buffer, size_t(std::max<ssize_t>(size, 0)));
  close(ends[0]);
  int status = 0;
  if (problem != 0)
    throw std::runtime_error(fmt::format("{}: {}", command[0], std::strerror(problem)));
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) // 0: nothing found; 1: findings
    throw std::runtime_error(fmt::format("{} hunt failed", command[0]));
  return text;
}

float input_of(const Json& reported) {
  return std::strtof(reported["input"]["x"]["hex"].get<std::string>().c_str(), nullptr);
}

} // namespace

std::vector<ReportedInput> hunt(const std::string& faultline, const std::string& source, const std::string& function,
                                const std::vector<std::string>& options) {
  std::vector<std::string> command = {faultline, "hunt",           source,    "-f", function,
                                      "--for",   "error,branches", "--quiet", "-o", "-"};
  command.insert(command.end(), options.begin(), options.end());
  std::vector<ReportedInput> reported;
  const Json report = Json::parse(output_of(command));
  if (const Json& target = report["targets"][0]; target.contains("largest"))
    reported.push_back({input_of(target["largest"]), target["largest"]["error"]["ulps"].get<double>()});
  for (const Json& finding : report["targets"][0]["findings"]) {
    reported.push_back({input_of(finding), finding["error"]["ulps"].get<double>()});
    const Json also = finding.value("also", Json::array());
    for (const Json& witness : also)
      reported.push_back({input_of(witness), std::nullopt});
  }
  return reported;
}

} // namespace faultline::bench
