// How near the search comes to the worst: each function of subjects.c is run on all 2^32 floats, and hunted in; the
// largest error of the one is set against the largest error of the other. See docs/exhaustive.md.
#include "hunt.h"
#include "scan.h"

#include <chrono>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <limits>

namespace {

using namespace faultline::bench;

constexpr double enough = 0.9; // of the true worst
constexpr int seeds = 5;

// Of several hunts the one that found least.
Worst least_of_hunts(const std::string& faultline, const Subject& subject) {
  Worst least{0, std::numeric_limits<double>::infinity()};
  for (int seed = 1; seed <= seeds; ++seed)
    if (const Worst found =
            worst_reported(subject.name,
                           hunt(faultline, EXHAUSTIVE_SUBJECTS, subject.name,
                                {"--strategy", "bracket", "--ulps", "100", "--seed", std::to_string(seed)}),
                           [&](float input) { return ulps_of_error(subject, input); });
        found.ulps < least.ulps)
      least = found;
  return least;
}

int run(const std::string& faultline) {
  fmt::print("{:18}{:>14}{:>16}{:>16}{:>16}{:>9}{:>8}\n", "", "worst, ulps", "at", "bracket, ulps", "at", "share",
             "scan");
  bool all_near = true;
  for (const Subject& subject : all_subjects()) {
    const auto begun = std::chrono::steady_clock::now();
    const Worst truth = worst_of_all_floats(subject);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
    const Worst found = least_of_hunts(faultline, subject);
    const double share = found.ulps / truth.ulps;
    all_near = all_near && share >= enough;
    fmt::print("{:18}{:>14.8g}{:>16.9g}{:>16.8g}{:>16.9g}{:>8.1f}%{:>6.0f} s\n", subject.name, truth.ulps, truth.input,
               found.ulps, found.input, 100 * share, taken.count());
    std::fflush(stdout);
  }
  fmt::print("\nworst: of all 2^32 floats. bracket: the least that a hunt with one of the seeds 1 to {} found.\n",
             seeds);
  return all_near ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 2)
      return run(argv[1]);
    std::fputs("usage: exhaustive FAULTLINE\n", stderr);
    return 2;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "exhaustive: %s\n", problem.what());
    return 1;
  }
}
