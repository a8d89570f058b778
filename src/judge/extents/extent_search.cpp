#include "judge/extents/extent_search.h"

#include "frontend/cell_name.h"
#include "frontend/most_cells.h"
#include "judge/extents/contents.h"
#include "judge/extents/formula.h"
#include "judge/extents/growth.h"
#include "judge/extents/index_arrays.h"
#include "judge/extents/probed_integers.h"
#include "judge/tasks/deadline.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::judge {

using finding::FoundExtent;
using finding::FoundExtents;
using finding::Settings;
using frontend::Parameter;
using frontend::Target;

namespace {

// Calls that time out are not many before the rest is left alone, whatever the clock says: a count, so that the same
// seed has the same extents.
constexpr int most_time_outs = 4;
constexpr int fills = 4, fills_of_usual = 8; // contents for each choice of integers. A guess
// Of an array that a function never comes to the end of. A guess: as small as it can be and still be one.
constexpr uint64_t endless_extent = 16;

class Search {
public:
  Search(exec::ExtentProbe& probe, const Target& target, const Settings& settings)
      : probe_(probe), target_(target), settings_(settings), integers_(probed_integers(target, settings)),
        choices_(integers_.choices(numeric::Rng(settings.seed).fork("extents: flags"))),
        deadline_(std::max(extent_share * settings.budget_seconds, least_seconds)), endless_(probe.arrays().size()),
        before_(probe.arrays().size()) {}

  FoundExtents run() {
    const size_t arrays = probe_.arrays().size();
    std::vector<std::vector<Touched>> touched(arrays);
    for (const std::vector<int64_t>& row : integers_.rows(numeric::Rng(settings_.seed).fork("extents"))) {
      if (is_over())
        break;
      const std::vector<uint64_t> extents = touched_with(row, std::vector<uint64_t>(arrays, 0), fills);
      for (size_t i = 0; i < arrays; ++i)
        touched[i].push_back({row, extents[i]});
    }
    for (size_t i = 0; i < arrays; ++i)
      explain(touched[i]);
    settle();
    return std::move(found_);
  }

private:
  bool is_over() { return time_outs_ >= most_time_outs || deadline_.passed(1); }

  exec::Input input_with(const std::vector<int64_t>& row, const std::vector<int64_t>& choice,
                         const Contents& contents) {
    exec::Input input;
    for (size_t i = 0; i < target_.inputs.size(); ++i)
      input.push_back(contents.of(target_.inputs[i].type, probe_.arrays().size() + i, 0));
    for (size_t i = 0; i < row.size(); ++i)
      input[integers_.varied[i].input] = (long double)row[i];
    for (size_t i = 0; i < choice.size(); ++i)
      input[integers_.flags[i].input] = (long double)choice[i];
    for (const FixedInteger& fixed : integers_.fixed)
      input[fixed.input] = (long double)fixed.value;
    return input;
  }

  // At most, whatever the flags and the contents are.
  std::vector<uint64_t> touched_with(const std::vector<int64_t>& row, std::vector<uint64_t> extents, int many) {
    for (int fill = 0; fill < many; ++fill)
      for (const std::vector<int64_t>& choice : choices_) {
        if (is_over())
          return extents;
        const Contents contents(settings_.seed, fill);
        const exec::Input input = input_with(row, choice, contents);
        const Growth growth = grow(extents, frontend::most_cells, [&](const std::vector<uint64_t>& now) {
          return probe_.call(input, now, [&](size_t array, uint64_t element) {
            return contents.of(probe_.arrays()[array].type, array, element);
          });
        });
        time_outs_ += growth.outcome == exec::Outcome::timed_out;
        if (growth.end == Growth::End::endless)
          endless_[growth.array] = true;
        else
          extents = growth.extents;
        if (growth.end == Growth::End::before)
          before_[growth.array] = true;
      }
    return extents;
  }

  // Which formula it is, if it is one.
  void explain(const std::vector<Touched>& runs) {
    uint64_t largest = 0;
    for (const Touched& run : runs)
      largest = std::max(largest, run.elements);
    const bool constant =
        std::ranges::all_of(runs, [&](const Touched& run) { return run.elements == 0 || run.elements == largest; });
    constants_.push_back(constant ? std::optional(largest) : std::nullopt);
    formulas_.push_back(constant || integers_.varied.empty() ? std::nullopt : fit(runs));
  }

  // The integers that the function is hunted in with, and what it touches then.
  void settle() {
    std::vector<int64_t> row = integers_.usual();
    std::vector<bool> matters(row.size());
    for (size_t i = 0; i < formulas_.size(); ++i) {
      if (formulas_[i] && formulas_[i]->is_difference())
        row[formulas_[i]->integers()[1]] = integers_.varied[formulas_[i]->integers()[1]].low;
      for (size_t k = 0; k < row.size(); ++k)
        if (!constants_[i] && (!formulas_[i] || std::ranges::count(formulas_[i]->integers(), k) > 0))
          matters[k] = true;
    }
    std::vector<uint64_t> extents;
    for (size_t i = 0; i < formulas_.size(); ++i)
      extents.push_back(constants_[i]  ? *constants_[i]
                        : formulas_[i] ? std::min(formulas_[i]->at(row), frontend::most_cells)
                                       : 0);
    extents = touched_with(row, std::move(extents), fills_of_usual);
    look_before(row, extents);
    for (size_t i = 0; i < extents.size(); ++i)
      found_.arrays.push_back(found(i, extents[i]));
    hold(row, matters);
    hold_indices(row);
    found_.cut = deadline_.cut();
  }

  // The same with nothing before the arrays.
  void look_before(const std::vector<int64_t>& row, std::vector<uint64_t> extents) {
    for (uint64_t& extent : extents)
      extent = std::max<uint64_t>(extent, 1);
    for (const std::vector<int64_t>& choice : choices_) {
      if (is_over())
        return;
      const Contents contents(settings_.seed, 0);
      const exec::ProbedCall call = probe_.call(
          input_with(row, choice, contents), extents,
          [&](size_t array, uint64_t element) { return contents.of(probe_.arrays()[array].type, array, element); },
          exec::Edge::before);
      if (call.beyond && call.beyond->element < 0)
        before_[call.beyond->array] = true;
    }
  }

  FoundExtent found(size_t array, uint64_t touched) const {
    const Parameter& parameter = target_.parameters[probe_.arrays()[array].parameter];
    FoundExtent found{parameter.name, {std::max<uint64_t>(touched, endless_[array] ? endless_extent : 1)}};
    if (formulas_[array]) {
      std::vector<std::string> names;
      for (const VariedInteger& integer : integers_.varied)
        names.push_back(target_.inputs[integer.input].name);
      found.formula = formulas_[array]->text(names);
    }
    found.endless = endless_[array];
    // Where integers in arrays may be indices, ours are to blame.
    found.before = before_[array] && std::ranges::all_of(probe_.arrays(), [](const exec::FreeArray& other) {
                     return other.type.floating;
                   });
    if (parameter.extents.size() > 1) { // rows
      uint64_t row = 1;
      for (size_t i = 1; i < parameter.extents.size(); ++i)
        row *= parameter.extents[i];
      found.extents = parameter.extents;
      found.extents.front() = std::max<uint64_t>(1, (touched + row - 1) / row);
    }
    return found;
  }

  // An integer that matters has the value that the extents belong to; others have those that were tried.
  void hold(const std::vector<int64_t>& row, const std::vector<bool>& matters) {
    const bool any = std::ranges::any_of(
        found_.arrays, [](const FoundExtent& found) { return found.extents.size() > 1 || found.extents.front() > 1; });
    for (size_t k = 0; k < row.size() && any; ++k) {
      const VariedInteger& integer = integers_.varied[k];
      const std::string& name = target_.inputs[integer.input].name;
      if (!integer.is_free)
        continue;
      if (matters[k] || integer.usual == 1)
        found_.held[name] = row[k];
      else
        found_.ranges[name] = {(long double)integer.low, (long double)integer.high};
    }
  }

  void hold_indices(const std::vector<int64_t>& row) {
    std::vector<uint64_t> extents;
    for (const FoundExtent& array : found_.arrays) {
      extents.push_back(1);
      for (const uint64_t extent : array.extents)
        extents.back() *= extent;
    }
    for (size_t array = 0; array < extents.size(); ++array) {
      if (probe_.arrays()[array].type.floating)
        continue;
      const std::optional<int64_t> first =
          first_index([&](const auto& integers) { return stays_within(row, extents, array, integers); });
      for (uint64_t k = 0; first && k < extents[array]; ++k)
        found_.held[frontend::cell_name(found_.arrays[array].parameter, k)] = *first + int64_t(k);
    }
  }

  bool stays_within(const std::vector<int64_t>& row, const std::vector<uint64_t>& extents, size_t array,
                    const std::function<int64_t(uint64_t)>& integers) {
    const Contents contents(settings_.seed, 0);
    for (const exec::Edge edge : {exec::Edge::behind, exec::Edge::before})
      for (const std::vector<int64_t>& choice : choices_) {
        if (is_over())
          return true;
        const auto element = [&](size_t of, uint64_t k) {
          return of == array ? (long double)integers(k) : contents.of(probe_.arrays()[of].type, of, k);
        };
        const exec::ProbedCall call = probe_.call(input_with(row, choice, contents), extents, element, edge);
        if (call.outcome == exec::Outcome::overrun || call.outcome == exec::Outcome::segfault)
          return false;
      }
    return true;
  }

  exec::ExtentProbe& probe_;
  const Target& target_;
  const Settings& settings_;
  ProbedIntegers integers_;
  std::vector<std::vector<int64_t>> choices_;
  Deadline deadline_;
  std::vector<bool> endless_, before_;
  std::vector<std::optional<uint64_t>> constants_; // by array
  std::vector<std::optional<Formula>> formulas_;
  int time_outs_ = 0;
  FoundExtents found_;
};

} // namespace

FoundExtents find_extents(exec::ExtentProbe& probe, const Target& target, const Settings& settings) {
  return Search(probe, target, settings).run();
}

finding::OverrunJudged judge_overrun(exec::ExtentProbe& probe, const Target& target, const exec::Input& input) {
  std::vector<std::vector<long double>> values(probe.arrays().size());
  std::vector<uint64_t> extents;
  for (size_t i = 0; i < probe.arrays().size(); ++i) {
    const Parameter& parameter = target.parameters[probe.arrays()[i].parameter];
    values[i].resize(parameter.count);
    for (size_t k = 0; k < target.inputs.size(); ++k)
      if (const frontend::Cell& cell = target.inputs[k]; frontend::parameter_of(cell.name) == parameter.name)
        values[i][(cell.offset - parameter.offset) / parameter.type.bytes()] = input[k];
    extents.push_back(parameter.count);
  }
  const Growth growth = grow(extents, frontend::most_cells, [&](const std::vector<uint64_t>& now) {
    return probe.call(input, now, [&](size_t array, uint64_t element) -> long double {
      return element < values[array].size() ? values[array][element] : 1;
    });
  });
  finding::OverrunJudged judged{growth.end == Growth::End::settled, {}};
  for (size_t i = 0; i < extents.size(); ++i)
    if (growth.extents[i] > extents[i])
      judged.needed.push_back({target.parameters[probe.arrays()[i].parameter].name, {growth.extents[i]}});
  return judged;
}

void probe_extents(const finding::Job& job, const finding::ProbeTask& task, frontend::Program program,
                   const Target& target, const exec::Limits& limits, exec::Channel& channel, const Tell& tell) {
  // One call; enough for arrays of a few elements. A guess.
  constexpr double call_seconds = 0.1;
  exec::Limits brief = limits;
  brief.native_seconds = std::min(call_seconds, brief.native_seconds);
  const bool sized = !task.overruns.empty(); // a size that the user gave may be too small
  exec::ExtentProbe probe(std::move(program), target, sized, brief, channel.flight, channel.skip);
  if (task.overruns.empty())
    tell(finding::ExtentsMessage{find_extents(probe, target, job.settings)});
  for (const exec::Input& input : task.overruns)
    tell(judge_overrun(probe, target, input));
}

} // namespace faultline::judge
