// How near a hunt comes to the worst where errors are small: each function of ranged.c is run on all floats of its
// range, and hunted in with --ulps; the largest error of the one is set against that of the other. See
// docs/exhaustive.md.
#include "hunt.h"
#include "ranged_subjects.h"

#include <chrono>
#include <cstdio>
#include <exception>
#include <fmt/format.h>

namespace {

using namespace faultline::bench;

constexpr double enough = 0.97; // of the true worst

Worst worst_of_hunt(const std::string& faultline, const RangedSubject& subject, const std::string& budget) {
  return worst_reported(
      subject.name,
      hunt(faultline, RANGED_SUBJECTS, subject.name,
           {"--range", fmt::format("x={}:{}", subject.low, subject.high), "--ulps", "0.5", "--budget", budget}),
      [&](float input) { return ulps_of_error(subject.native(input), subject.in_extended(input)); });
}

int run(const std::string& faultline, const std::string& budget, const std::string& only) {
  fmt::print("{:26}{:>16}{:>14}{:>16}{:>14}{:>16}{:>9}{:>8}\n", "", "range", "worst, ulps", "at", "hunt, ulps", "at",
             "share", "scan");
  bool all_near = true;
  for (const RangedSubject& subject : ranged_subjects()) {
    if (!only.empty() && only != subject.name)
      continue;
    const auto begun = std::chrono::steady_clock::now();
    const Worst truth = worst_of_range(subject);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
    const Worst found = worst_of_hunt(faultline, subject, budget);
    const double share = found.ulps / truth.ulps;
    all_near = all_near && share >= enough;
    fmt::print("{:26}{:>16}{:>14.6g}{:>16.9g}{:>14.6g}{:>16.9g}{:>8.1f}%{:>6.0f} s\n", subject.name,
               fmt::format("{} to {}", subject.low, subject.high), truth.ulps, truth.input, found.ulps, found.input,
               100 * share, taken.count());
    std::fflush(stdout);
  }
  fmt::print("\nworst: of all floats of the range. hunt: with --ulps 0.5 --budget {}.\n", budget);
  return all_near ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  try {
    if (argc >= 2 && argc <= 4)
      return run(argv[1], argc > 2 ? argv[2] : "5s", argc > 3 ? argv[3] : "");
    std::fputs("usage: exhaustive_ranges FAULTLINE [BUDGET [FUNCTION]]\n", stderr);
    return 2;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "exhaustive_ranges: %s\n", problem.what());
    return 1;
  }
}
