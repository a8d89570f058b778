// Hunts from end to end on small files.
#pragma once

#include "../temporary_folder.h"

#include "hunt/hunt.h"
#include "hunt/replay.h"
#include "model/json/finding_json.h"

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
  model::Report hunt(const Listener& listener = {}) { return hunt::hunt(options, listener, never); }
  model::TargetReport only() {
    model::Report report = hunt();
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

inline std::vector<model::Finding> of_kind(const model::TargetReport& target, model::Kind kind) {
  std::vector<model::Finding> all;
  std::copy_if(target.findings.begin(), target.findings.end(), std::back_inserter(all),
               [&](const model::Finding& finding) { return finding.kind == kind; });
  return all;
}

inline long double number(const model::Finding& finding, size_t input = 0) {
  return std::strtold(finding.input.at(input).value.hex.c_str(), nullptr);
}

inline model::ReplayResult replay(const Options& options, const model::TargetReport& target,
                                  const model::Finding& finding) {
  return Replayer(options).replay(target, {finding}).at(0);
}

inline std::string timeless_json(model::Report report) {
  for (model::TargetReport& target : report.targets)
    target.seconds = target.total_seconds = 0;
  return model::json_text(to_json(report), 1);
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
