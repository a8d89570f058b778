// What the tape costs: the subjects of subjects.h native, taped and under -fsanitize=numerical, in one run. Google
// Benchmark's own lines go to standard error, the table of ratios to standard output; its options all work, such as
// --benchmark_filter=bessel.
#include "nsan_child.h"
#include "ratios.h"
#include "subject.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <limits>
#include <map>

namespace {

using namespace faultline::bench;

// The best time of each way of running a subject, in nanoseconds a call: the least disturbed by what else the machine
// does.
using BestTimes = std::map<std::string, double>;

// One iteration is all rounds over all inputs.
void add(const std::string& name, int calls, BestTimes& best_times, std::function<uint64_t()> time) {
  auto run = [=, &best_times](benchmark::State& state) {
    double& best = best_times.try_emplace(name, std::numeric_limits<double>::infinity()).first->second;
    while (state.KeepRunningBatch(calls)) {
      auto nanoseconds = double(time());
      best = std::min(best, nanoseconds / calls);
      state.SetIterationTime(nanoseconds * 1e-9);
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), run)
      ->UseManualTime()
      ->MinTime(0.02)
      ->Repetitions(7)
      ->DisplayAggregatesOnly();
}

double look_up(const BestTimes& times, const std::string& name) {
  auto found = times.find(name);
  return found == times.end() ? 0 : found->second;
}

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 2;
  faultline::exec::Heap heap(uint64_t(1) << 28);
  NsanChild child;
  BestTimes times;
  std::vector<std::unique_ptr<Subject>> subjects;
  for (const SubjectInfo& info : all_subjects()) {
    Subject& subject = *subjects.emplace_back(std::make_unique<Subject>(info, heap));
    int calls = info.inputs * info.rounds;
    add(info.name + "/native", calls, times, [&] { return subject.time_native(); });
    add(info.name + "/taped", calls, times, [&] { return subject.time_taped(); });
    add(info.name + "/nsan", calls, times, [&, name = info.name] { return child.time(name); });
  }
  benchmark::ConsoleReporter progress(benchmark::ConsoleReporter::OO_None);
  progress.SetOutputStream(&std::cerr);
  progress.SetErrorStream(&std::cerr);
  benchmark::RunSpecifiedBenchmarks(&progress);
  std::vector<Row> rows;
  for (auto& subject : subjects) {
    const std::string& name = subject->info().name;
    Row row{name, subject->records(), look_up(times, name + "/native"), look_up(times, name + "/taped"),
            look_up(times, name + "/nsan")};
    if (row.native + row.taped + row.nsan > 0)
      rows.push_back(row);
  }
  if (!rows.empty())
    std::fputs(ratio_table(rows).c_str(), stdout);
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "bench_tape: %s\n", problem.what());
    return 1;
  }
}
