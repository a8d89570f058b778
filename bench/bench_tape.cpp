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
#include <map>

namespace {

using namespace faultline::bench;

// Keeps the best time a call of each benchmark: the least disturbed by what else the machine does.
class BestTimes : public benchmark::ConsoleReporter {
public:
  BestTimes() : ConsoleReporter(OO_Tabular) {
    SetOutputStream(&std::cerr);
    SetErrorStream(&std::cerr);
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration && !run.error_occurred) {
        double& best = best_.try_emplace(run.run_name.function_name, 1e300).first->second;
        best = std::min(best, run.GetAdjustedRealTime());
      }
    ConsoleReporter::ReportRuns(runs);
  }
  double of(const std::string& name) const {
    auto found = best_.find(name);
    return found == best_.end() ? 0 : found->second;
  }

private:
  std::map<std::string, double> best_;
};

// One iteration is all rounds over all inputs; what is reported is the time of one call.
void add(const std::string& name, int calls, std::function<uint64_t()> time) {
  auto run = [calls, time](benchmark::State& state) {
    while (state.KeepRunningBatch(calls))
      state.SetIterationTime(double(time()) * 1e-9);
  };
  benchmark::RegisterBenchmark(name.c_str(), run)->UseManualTime()->MinTime(0.02)->Repetitions(7);
}

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 2;
  faultline::exec::Heap heap(uint64_t(1) << 28);
  NsanChild child;
  std::vector<std::unique_ptr<Subject>> subjects;
  for (const SubjectInfo& info : all_subjects()) {
    Subject& subject = *subjects.emplace_back(std::make_unique<Subject>(info, heap));
    int calls = info.inputs * info.rounds;
    add(info.name + "/native", calls, [&] { return subject.time_native(); });
    add(info.name + "/taped", calls, [&] { return subject.time_taped(); });
    add(info.name + "/nsan", calls, [&, name = info.name] { return child.time(name); });
  }
  BestTimes times;
  benchmark::RunSpecifiedBenchmarks(&times);
  std::vector<Row> rows;
  for (auto& subject : subjects) {
    const std::string& name = subject->info().name;
    Row row{name, subject->records(), times.of(name + "/native"), times.of(name + "/taped"), times.of(name + "/nsan")};
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
