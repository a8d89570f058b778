// Hunts from end to end on small files.
#pragma once

#include "../temporary_folder.h"

#include "finding/json/finding_json.h"
#include "hunt/hunt.h"
#include "hunt/replay.h"

#include <algorithm>
#include <cerrno>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

namespace faultline::hunt {

inline const std::atomic<bool> never = false;

// A file and the options to hunt in it.
struct Ground {
  explicit Ground(const std::string& text, const std::string& name = "subject.c") {
    options.sources.files = {folder.write(name, text)};
    options.settings.evaluations = 4000;
    options.settings.budget_seconds = 60;
    options.limits.call_seconds = 0.3;
    options.limits.native_seconds = 0.5;
    options.worker.silence_seconds = 5;
  }
  finding::Report hunt(const Listener& listener = {}) { return hunt::hunt(options, listener, never); }
  finding::TargetReport only() {
    finding::Report report = hunt();
    EXPECT_EQ(report.targets.size(), 1u);
    return report.targets.at(0);
  }

  test::TemporaryFolder folder;
  Options options;
};

inline void expect_no_child() {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

inline std::vector<finding::Finding> of_kind(const finding::TargetReport& target, finding::Kind kind) {
  std::vector<finding::Finding> all;
  std::copy_if(target.findings.begin(), target.findings.end(), std::back_inserter(all),
               [&](const finding::Finding& finding) { return finding.kind == kind; });
  return all;
}

inline long double number(const finding::Finding& finding, size_t input = 0) {
  return std::strtold(finding.input.at(input).value.hex.c_str(), nullptr);
}

inline finding::ReplayResult replay(const Options& options, const finding::TargetReport& target,
                                    const finding::Finding& finding) {
  return Replayer(options).replay(target, {finding}).at(0);
}

inline std::string timeless_json(finding::Report report) {
  for (finding::TargetReport& target : report.targets)
    target.seconds = target.total_seconds = 0;
  return finding::json_text(to_json(report), 1);
}

inline constexpr const char* three = R"(#include <math.h>
double bad(double x) {
  double d = 1 - cos(x);
  return d / (x * x);
}
double good(double x) {
  double s = sin(x / 2) / x;
  return x == 0 ? 0.5 : 2 * s * s;
}
double log_near_one(double x) {
  double t = 1 + x;
  return log(t) / x;
}
)";

inline constexpr const char* killing = R"(#include <math.h>
#include <signal.h>
#include <unistd.h>
double f(double x) {
  if (x > 50 && x < 50.2)
    kill(getpid(), SIGKILL);
  double d = 1 - cos(x);
  return d / (x * x);
}
)";

} // namespace faultline::hunt
