#include "judge/tasks/plot_sampler.h"

#include "base/clock.h"
#include "judge/number.h"
#include "judge/tasks/plot_points.h"
#include "judge/tasks/plot_remedy.h"
#include "numeric/decimal.h"
#include "numeric/ulp.h"
#include "tape/adjoint.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace faultline::judge {

using finding::Finding;
using finding::InputRange;
using finding::PlotPoint;
using finding::Plots;

using frontend::Target;
using search::Dimension;

namespace {

constexpr int value_digits = 6; // of outputs: enough to draw and to compare at a glance

std::string short_decimal(long double value) { return numeric::BigFloat(value, 64).to_string(value_digits); }

// Where the hunt looked: the report says it; its settings name inputs of other functions too.
Dimension dimension_of(const frontend::Cell& cell, const std::vector<InputRange>& ranges) {
  Dimension dimension;
  dimension.name = cell.name;
  dimension.floating = cell.type.floating;
  dimension.format = cell.type.format;
  const auto range = std::ranges::find(ranges, cell.name, &InputRange::name);
  if (range != ranges.end())
    for (const numeric::Format format : numeric::all_formats)
      if (range->format == numeric::info(format).name && format < dimension.format)
        dimension.format = format;
  dimension.high = numeric::largest(dimension.format);
  dimension.low = -dimension.high;
  if (range != ranges.end()) {
    dimension.low = numeric::parse_number(range->low, dimension.format).value_or(dimension.low);
    dimension.high = numeric::parse_number(range->high, dimension.format).value_or(dimension.high);
  }
  return dimension;
}

// Inputs whose values can be drawn on an axis.
std::vector<size_t> drawable(const Target& target, const std::vector<InputRange>& ranges, const exec::Input& input) {
  std::vector<size_t> all;
  for (size_t i = 0; i < target.inputs.size(); ++i) {
    const Dimension dimension = dimension_of(target.inputs[i], ranges);
    if (target.inputs[i].type.floating && dimension.low < dimension.high && dimension.low <= input[i] &&
        input[i] <= dimension.high)
      all.push_back(i);
  }
  return all;
}

struct Series {
  size_t input;
  bool range;
  std::vector<long double> values;
  std::vector<std::optional<PlotPoint>> points; // none: not sampled
};

class Sampler {
public:
  Sampler(exec::Session& session, Judge& judge, const std::vector<InputRange>& ranges, const Finding& finding,
          const exec::Input& input)
      : session_(session), judge_(judge), ranges_(ranges), input_(input) {
    const std::vector<frontend::Cell>& outputs = session.target().outputs;
    for (size_t i = 0; i < outputs.size(); ++i)
      if (finding.output && outputs[i].name == finding.output->name)
        output_ = i;
    if (!output_ && !judge.outputs().empty())
      output_ = judge.outputs().front();
    if (output_)
      remedy_ = RemedyCurve::of(session, judge, finding, input, *output_);
  }

  // The first judgement compiles code for the oracle, which is nothing that one finding should pay for.
  void warm_up() {
    PlotPoint ignored;
    measure(ignored, input_);
  }

  Plots sample(const finding::PlotTask& share) {
    const base::Deadline deadline(share.finding_seconds);
    std::vector<size_t> inputs = drawable(session_.target(), ranges_, input_);
    const size_t all = inputs.size();
    if (all > share.most_inputs)
      inputs = most_important(inputs, share.most_inputs);
    std::vector<Series> series;
    for (const size_t input : inputs) {
      const Dimension dimension = dimension_of(session_.target().inputs[input], ranges_);
      const size_t points = share.points / inputs.size();
      const size_t around = std::min(most_around, points / 2), range = std::min(most_of_range, points - around);
      series.push_back({input, false, points_around(dimension, input_[input], around), {}});
      series.push_back({input, true, points_to_read(dimension, input_[input], range), {}});
    }
    const bool complete = fill(series, deadline);
    Plots plots = plots_of(series);
    if (!complete)
      plots.note = "fewer points: the time for plots was up";
    if (all > inputs.size())
      plots.note += fmt::format("{}{} of {} inputs, those that the output depends on most",
                                plots.note.empty() ? "" : "; ", inputs.size(), all);
    return plots;
  }

private:
  // All series grow finer together. Was there time for all points?
  bool fill(std::vector<Series>& all, const base::Deadline& deadline) {
    struct Task {
      size_t series, point, rank;
    };
    std::vector<Task> tasks;
    for (size_t s = 0; s < all.size(); ++s) {
      all[s].points.resize(all[s].values.size());
      const size_t witness = std::ranges::find(all[s].values, input_[all[s].input]) - all[s].values.begin();
      const std::vector<size_t> order = coarse_to_fine(all[s].values.size());
      for (size_t rank = 0; rank < order.size(); ++rank)
        tasks.push_back({s, order[rank], order[rank] == witness ? 0 : rank + 1});
    }
    std::ranges::sort(tasks, {}, [](const Task& task) { return std::pair(task.rank, task.series); });
    for (const Task& task : tasks) {
      if (deadline.passed())
        return false;
      Series& series = all[task.series];
      series.points[task.point] = point_at(series.input, series.values[task.point]);
    }
    return true;
  }

  PlotPoint point_at(size_t which, long double value) {
    const frontend::Cell& cell = session_.target().inputs[which];
    const Dimension dimension = dimension_of(cell, ranges_);
    exec::Input input = input_;
    input[which] = value;
    PlotPoint point;
    point.value = number_of(value, cell.type).decimal;
    point.offset = double(dimension.order(value) - dimension.order(input_[which]));
    measure(point, input);
    return point;
  }

  // What the code makes of an input.
  void measure(PlotPoint& point, const exec::Input& input) {
    const exec::Run& run = session_.run(input);
    if (run.outcome != exec::Outcome::returned || !output_)
      return;
    const tape::Tape tape(run, session_.sites(), input.size());
    point.computed = short_decimal(tape.outputs()[*output_].value);
    const std::optional<long double> remedied = remedy_ ? remedy_->result(tape, input, *output_) : std::nullopt;
    const oracle::Judgement judgement = judge_.judge(input, tape);
    if (judgement.certainty != oracle::Certainty::known)
      return;
    const auto found = std::ranges::find(judgement.outputs, *output_, &oracle::OutputJudgement::output);
    if (found == judgement.outputs.end() || found->unset)
      return;
    point.exact = found->reference.to_string(value_digits);
    point.error = found->relative;
    point.ulps = found->ulps;
    if (remedied) {
      const frontend::Cell& cell = session_.target().outputs[*output_];
      point.remedy = oracle::measure(*output_, cell, *remedied, found->reference).relative;
    }
  }

  // Those with the largest |x * d(output)/dx| at the finding, in the order of the target.
  std::vector<size_t> most_important(std::vector<size_t> inputs, size_t count) {
    const exec::Run& run = session_.run(input_);
    const tape::Tape tape(run, session_.sites(), input_.size());
    const size_t output = output_.value_or(0);
    std::vector<double> effect(input_.size());
    if (run.outcome == exec::Outcome::returned && output < tape.outputs().size() &&
        tape.outputs()[output].record != 0) {
      const std::vector<double> adjoints = tape::adjoint(tape, tape.outputs()[output].record);
      for (const size_t i : inputs)
        if (const double product = std::fabs(adjoints[i + 1] * double(input_[i])); !std::isnan(product))
          effect[i] = product;
    }
    std::ranges::sort(inputs, {}, [&](size_t i) { return std::pair(-effect[i], i); });
    inputs.resize(count);
    std::ranges::sort(inputs);
    return inputs;
  }

  Plots plots_of(const std::vector<Series>& all) const {
    Plots plots;
    if (output_)
      plots.output = session_.target().outputs[*output_].name;
    for (const Series& series : all) {
      const std::string& name = session_.target().inputs[series.input].name;
      if (plots.inputs.empty() || plots.inputs.back().input != name)
        plots.inputs.push_back({name, {}, {}});
      std::vector<PlotPoint>& points = series.range ? plots.inputs.back().range : plots.inputs.back().around;
      for (const std::optional<PlotPoint>& point : series.points)
        if (point)
          points.push_back(*point);
    }
    return plots;
  }

  exec::Session& session_;
  Judge& judge_;
  const std::vector<InputRange>& ranges_;
  const exec::Input& input_;
  std::optional<size_t> output_; // the finding's
  std::optional<RemedyCurve> remedy_;
};

} // namespace

void sample_plots(exec::Session& session, Judge& judge, const finding::PlotTask& task, const Tell& tell) {
  const base::Deadline deadline(task.seconds);
  bool first = true;
  for (const auto& [input, finding] : task.findings) {
    if (deadline.passed())
      return;
    Sampler sampler(session, judge, task.ranges, finding, input);
    if (std::exchange(first, false))
      sampler.warm_up();
    tell(finding::PlotsMessage{sampler.sample(task)});
  }
}

} // namespace faultline::judge
