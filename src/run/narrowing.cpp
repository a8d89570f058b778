#include "run/narrowing.h"

#include "base/error.h"
#include "run/comparison.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::run {

namespace {

using base::UserError;
using model::RunNarrowing;
using model::RunReport;

constexpr unsigned most_runs = 10;    // of narrowed twins
constexpr double patience = 10;       // times the CPU time of the first run: a loop that never converges
constexpr int timings = 3;            // of which the smallest counts
constexpr double longest_timing = 60; // seconds of the program after which one timing is enough

double relative_error(double value, double truth) {
  if (value == truth || (std::isnan(value) && std::isnan(truth)))
    return 0;
  const double error = std::fabs((value - truth) / truth);
  return std::isnan(error) ? INFINITY : error;
}

// The numbers that two runs of the program itself print alike.
std::vector<bool> steady_numbers(const RunReport& one, const RunReport& other, double tolerance) {
  std::vector<bool> steady(one.outputs.size(), false);
  for (size_t i = 0; i < std::min(one.outputs.size(), other.outputs.size()); ++i)
    steady[i] = relative_error(other.outputs[i].value, one.outputs[i].value) <= tolerance;
  return steady;
}

struct Trial {
  bool holds = false;
  double error = 0;
  std::vector<model::RunPlace> blamed = {}; // most important first
};

class Narrowing {
public:
  Narrowing(const std::string& program, const std::vector<std::string>& command, double tolerance)
      : program_(program), records_(records_of(program)), sources_(records_), input_(input_position()) {
    result_.command = command;
    result_.tolerance = tolerance;
  }

  RunNarrowing run() {
    run_original();
    result_.declarations = sources_.declarations(true).size();
    search();
    describe();
    if (result_.answer != RunNarrowing::Answer::nothing)
      measure();
    return result_;
  }

private:
  RunReport quiet_run(const Twin& twin, double seconds) const {
    QuietRun quiet;
    quiet.input = input_;
    quiet.seconds = seconds;
    return execute(twin, result_.command, quiet);
  }

  void run_original() {
    const Twin twin = twin_of(program_);
    first_ = execute(twin, result_.command);
    result_.status = first_.status;
    result_.signal = first_.signal;
    seconds_ = std::max(1.0, patience * first_.seconds);
    const RunReport second = quiet_run(twin, seconds_);
    steady_ = steady_numbers(first_, second, result_.tolerance / 4);
    result_.compared = uint64_t(std::ranges::count(steady_, true));
    result_.varying = steady_.size() - result_.compared;
    if (first_.signal != 0 || second.status != first_.status || second.printed != first_.printed)
      throw UserError(base::status_inconclusive,
                      "a second run of the program, which cannot write files, ends or prints otherwise",
                      "--narrow compares runs: make the program print its results on standard output");
    if (result_.compared == 0)
      throw UserError(base::status_inconclusive, "the program prints no number that --narrow could compare",
                      "print the results that matter, with printf or <<");
  }

  Trial judged(const MeasuredErrors& errors) const {
    Trial trial;
    trial.holds = errors.printed[0] == errors.printed[1] && errors.status[0] == errors.status[1] &&
                  errors.signal[0] == 0 && errors.signal[1] == 0;
    for (size_t i = 0; i < std::min(errors.outputs.size(), steady_.size()); ++i)
      if (steady_[i])
        trial.error = std::max(trial.error, errors.outputs[i]);
    trial.holds &= trial.error <= result_.tolerance;
    for (const Excess& excess : errors.excesses)
      trial.blamed.push_back(excess.place);
    return trial;
  }

  // Widens what the lines set; where that is double already, all that they use; else their functions.
  bool widen(const std::vector<model::RunPlace>& blamed) {
    const size_t most_lines = size_t(1) << result_.runs / 3; // careful at first: 1, 1, 2, 2, 2, 4, ...
    size_t lines = 0;
    const auto each = [&](auto&& widen_place) {
      for (const model::RunPlace& place : blamed) {
        const std::string file = sources_.path_of(place.file);
        if (lines < most_lines && widen_place(file, place.line) > 0)
          ++lines;
      }
      return lines > 0;
    };
    return each([&](const std::string& file, int line) { return sources_.widen_target(file, line); }) ||
           each([&](const std::string& file, int line) { return sources_.widen_line(file, line); }) ||
           each([&](const std::string& file, int line) { return sources_.widen_function(file, line); });
  }

  void search() {
    const TwinOptions traced{.causes = false, .values = true};
    const ComparedRun original{twin_of(program_, traced), result_.command};
    while (result_.runs < most_runs) {
      if (!sources_.close()) {
        result_.reason = fmt::format("as float it does not compile: {}", sources_.message());
        return;
      }
      if (sources_.declarations(true).empty()) {
        result_.reason = "each declaration must stay double";
        return;
      }
      ++result_.runs;
      const program::TemporaryFolder folder;
      const ComparedRun narrowed{changed_twin(program_, sources_.compiled(), traced, folder.path()), result_.command};
      const Trial trial = judged(measure_errors(original, narrowed, result_.tolerance, input_, seconds_));
      result_.error = trial.error;
      if (trial.holds) {
        result_.answer = sources_.declarations(false).empty() ? RunNarrowing::Answer::everything
                                                              : RunNarrowing::Answer::everything_but;
        return;
      }
      if (!widen(trial.blamed)) {
        result_.reason = "the tolerance is missed, and no line that is left in float explains it";
        return;
      }
    }
    result_.reason = fmt::format("after {} runs the tolerance is still missed", most_runs);
  }

  void describe() {
    if (result_.answer == RunNarrowing::Answer::nothing)
      return;
    for (const Declaration* declaration : sources_.declarations(false)) {
      model::RunDeclaration wide{declaration->file, fmt::format("{}", fmt::join(declaration->names, ", ")),
                                 declaration->line};
      result_.wide.push_back(wide);
    }
    result_.diff = sources_.diff();
  }

  // Both programs are compiled by LLVM from bitcode, so that only the declarations differ.
  void measure() {
    const program::TemporaryFolder one, other;
    const TwinOptions plain{.causes = false, .plain = true};
    const Twin before = changed_twin(program_, {}, plain, one.path()),
               after = changed_twin(program_, sources_.compiled(), plain, other.path());
    result_.before = result_.after = INFINITY;
    for (int i = 0; i < timings && (i == 0 || result_.before < longest_timing); ++i) {
      result_.before = std::min(result_.before, quiet_run(before, seconds_).seconds);
      result_.after = std::min(result_.after, quiet_run(after, seconds_).seconds);
    }
  }

  std::string program_;
  std::vector<program::Record> records_;
  NarrowedSources sources_;
  off_t input_;
  RunNarrowing result_;
  RunReport first_;
  double seconds_ = 0;
  std::vector<bool> steady_; // by printed number
};

} // namespace

RunNarrowing narrow_program(const std::string& program, const std::vector<std::string>& command, double tolerance) {
  return Narrowing(program, command, tolerance).run();
}

} // namespace faultline::run
