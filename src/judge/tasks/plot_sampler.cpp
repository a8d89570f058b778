#include "judge/tasks/work.h"

#include "base/clock.h"
#include "explain/remedy.h"
#include "judge/diagnosis/comparison.h"
#include "judge/given_input.h"
#include "model/finding.h"
#include "numeric/bigfloat.h"
#include "numeric/decimal.h"
#include "tape/adjoint.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

namespace faultline::judge {

using namespace model;
using model::Target;
using numeric::Int128;
using numeric::Value;
using search::Dimension;

namespace {

std::vector<Value> values_of(const Dimension& dimension, const std::set<Int128>& orders) {
  std::vector<Value> values;
  for (const Int128 order : orders)
    values.push_back(dimension.at(order));
  return values;
}

// The order of a number of few digits that is nearer than half a step, or the order itself.
Int128 readable(const Dimension& dimension, Int128 order, Int128 step) {
  for (int digits = 2; digits <= 6; ++digits) {
    const auto shorter = numeric::parse_number(fmt::format("{:.{}e}", dimension.at(order), digits), dimension.format);
    if (!shorter)
      continue;
    const Int128 found = dimension.order(dimension.nearest(*shorter));
    if (2 * (found > order ? found - order : order - found) < step)
      return found;
  }
  return order;
}

// The part of the range that interests a reader first.
Dimension close_part(const Dimension& dimension, Value value) {
  const search::Space everyday = search::everyday_part({{dimension}});
  if (search::is_everyday(dimension, value))
    return everyday.dimensions.front();
  constexpr Value decades = 1e9L; // as many as everyday numbers have on each side of 1
  const Value size = std::fabs(value);
  const Value least = std::max(size / decades, numeric::smallest_normal(dimension.format));
  const Value most = std::min(size * decades, numeric::largest(dimension.format));
  Dimension close = dimension;
  close.low = std::max(dimension.low, dimension.nearest(value < 0 ? -most : least));
  close.high = std::min(dimension.high, dimension.nearest(value < 0 ? -least : most));
  close.low = std::min(close.low, value); // a subnormal value
  close.high = std::max(close.high, value);
  return close;
}

// The effect of a finding's remedy at other inputs: a second curve in a plot of the error.
class RemedyCurve {
public:
  // Finds the place of the remedy that the finding's diagnosis names; nothing if it has none, or it is not found again.
  static std::optional<RemedyCurve> of(exec::Session& session, Judge& judge, const Finding& finding,
                                       const exec::Input& input, size_t output);

  // The output of this run with the remedy; nothing if the code would take another path, or if that takes too long. A
  // run that does not reach the place, or for which the remedy does not apply, is unchanged.
  std::optional<Value> result(const tape::Tape& tape, const exec::Input& input, size_t output) const;

private:
  RemedyCurve(explain::Change change, std::optional<Bound> bound) : change_(std::move(change)), bound_(bound) {}

  explain::Change change_;
  std::optional<Bound> bound_; // the condition of the remedy
};

constexpr uint32_t longest_run = 20'000; // records: a plot has hundreds of runs

std::optional<RemedyCurve> RemedyCurve::of(exec::Session& session, Judge& judge, const Finding& finding,
                                           const exec::Input& input, size_t output) {
  if (!finding.diagnosis || !finding.diagnosis->remedy)
    return std::nullopt;
  const exec::Run judged = session.run(input);
  if (judged.outcome != exec::Outcome::returned)
    return std::nullopt;
  Analysis analysis(judge.judge(input, tape::Tape(judged, session.sites(), input.size())));
  const std::vector<oracle::OutputJudgement>& outputs = analysis.judgement().outputs;
  const auto wrong = std::ranges::find(outputs, output, &oracle::OutputJudgement::output);
  const exec::Run run = session.run(input); // the judge has run other code in between
  const tape::Tape tape(run, session.sites(), input.size());
  if (wrong == outputs.end() || tape.size() > longest_run || tape.outputs()[output].record == 0)
    return std::nullopt;
  const uint32_t record = tape.outputs()[output].record;
  std::vector<std::string> names;
  for (const model::Cell& cell : session.target().inputs)
    names.push_back(cell.name);
  const std::vector<explain::Link>& path = analysis.error_path(tape, record);
  if (path.empty())
    return std::nullopt;
  const Remedy& wanted = *finding.diagnosis->remedy;
  for (const explain::Remedy& remedy :
       explain::find_remedies({tape, record, wrong->reference, path, analysis.blame(tape, record).record, names, true}))
    if (remedy.name == wanted.name && wanted.advice.ends_with(remedy.advice)) // the condition precedes it
      return RemedyCurve(remedy.change, parsed_bound(wanted.condition, names));
  return std::nullopt;
}

std::optional<Value> RemedyCurve::result(const tape::Tape& tape, const exec::Input& input, size_t output) const {
  if (tape.outputs()[output].record == 0 || tape.size() > longest_run)
    return std::nullopt;
  if (bound_ && !bound_->holds(input))
    return tape.outputs()[output].value;
  const std::optional<tape::Rerun> changed = explain::changed(tape, change_);
  return !changed || changed->flips ? std::nullopt : std::optional(explain::output_of(tape, *changed, output));
}

constexpr int value_digits = 6; // of outputs: enough to draw and to compare at a glance

std::string short_decimal(Value value) { return numeric::BigFloat(value, 64).to_string(value_digits); }

// The searched range, from the report, since the settings may name inputs of other functions too.
Dimension dimension_of(const model::Cell& cell, const std::vector<InputRange>& ranges) {
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
  std::vector<Value> values;
  std::vector<std::optional<PlotPoint>> points; // empty: not sampled
};

class Sampler {
public:
  Sampler(exec::Session& session, Judge& judge, const std::vector<InputRange>& ranges, const Finding& finding,
          const exec::Input& input)
      : session_(session), judge_(judge), ranges_(ranges), input_(input) {
    const std::vector<model::Cell>& outputs = session.target().outputs;
    for (size_t i = 0; i < outputs.size(); ++i)
      if (finding.output && outputs[i].name == finding.output->name)
        output_ = i;
    if (!output_ && !judge.outputs().empty())
      output_ = judge.outputs().front();
    if (output_)
      remedy_ = RemedyCurve::of(session, judge, finding, input, *output_);
  }

  // The first judgement compiles code for the oracle, which should not be charged to one finding.
  void warm_up() {
    PlotPoint ignored;
    measure(ignored, input_);
  }

  Plots sample(const PlotTask& share) {
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
  // Refines all series together. True if there was time for all points.
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

  PlotPoint point_at(size_t which, Value value) {
    const model::Cell& cell = session_.target().inputs[which];
    const Dimension dimension = dimension_of(cell, ranges_);
    exec::Input input = input_;
    input[which] = value;
    PlotPoint point;
    point.value = number_of(value, cell.type).decimal;
    point.offset = double(dimension.order(value) - dimension.order(input_[which]));
    measure(point, input);
    return point;
  }

  // Measures the code's output at an input.
  void measure(PlotPoint& point, const exec::Input& input) {
    const exec::Run& run = session_.run(input);
    if (run.outcome != exec::Outcome::returned || !output_)
      return;
    const tape::Tape tape(run, session_.sites(), input.size());
    point.computed = short_decimal(tape.outputs()[*output_].value);
    const std::optional<Value> remedied = remedy_ ? remedy_->result(tape, input, *output_) : std::nullopt;
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
      const model::Cell& cell = session_.target().outputs[*output_];
      point.remedy = oracle::measure(*output_, cell, *remedied, found->reference).relative;
    }
  }

  // The inputs with the largest |x * d(output)/dx| at the finding, in the order of the target.
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

std::vector<Value> points_around(const Dimension& dimension, Value value, size_t count) {
  const Int128 centre = dimension.order(value), low = dimension.order(dimension.low),
               high = dimension.order(dimension.high);
  const int binade = numeric::info(dimension.format).precision - 1;
  const size_t side = count / 2, near = std::max<size_t>(1, side / 4), far = side - std::min(side, near);
  std::set<Int128> orders = {centre};
  auto add = [&](Int128 distance) {
    if (centre <= high - distance)
      orders.insert(centre + distance);
    if (centre >= low + distance)
      orders.insert(centre - distance);
  };
  for (size_t i = 1; i <= near; ++i)
    add(Int128(i));
  const double growth = far > 0 ? (binade - std::log2(double(near))) / double(far) : 0;
  for (size_t i = 1; i <= far; ++i)
    add(Int128(std::exp2l(std::log2(double(near)) + growth * double(i))));
  return values_of(dimension, orders);
}

std::vector<Value> points_of_range(const Dimension& dimension, Value value, size_t count) {
  const Int128 low = dimension.order(dimension.low), width = dimension.width();
  const auto steps = Int128(std::max<size_t>(2, count)) - 1;
  const Int128 step = width / steps;
  std::set<Int128> orders = {dimension.order(value), low, low + width};
  for (Int128 i = 1; i < steps; ++i)
    orders.insert(readable(dimension, low + width / steps * i + width % steps * i / steps, step));
  return values_of(dimension, orders);
}

std::vector<Value> points_to_read(const Dimension& dimension, Value value, size_t count) {
  const bool given = dimension.given();
  const Dimension close = close_part(dimension, value);
  const size_t rest = count - count / 2, even = given ? rest / 2 : 0;
  const std::vector<Value> all = points_of_range(dimension, value, count / 2);
  std::set<Value> values(all.begin(), all.end());
  for (const Value point : points_of_range(close, value, rest - even))
    values.insert(point);
  for (size_t i = 1; i < even; ++i)
    values.insert(dimension.nearest(dimension.low + (dimension.high - dimension.low) * Value(i) / even));
  return {values.begin(), values.end()};
}

std::vector<size_t> coarse_to_fine(size_t n) {
  std::vector<size_t> order;
  size_t stride = 1;
  while (2 * stride < n)
    stride *= 2;
  std::vector<bool> taken(n);
  auto take = [&](size_t i) {
    if (!taken[i])
      order.push_back(i);
    taken[i] = true;
  };
  for (size_t i = 0; i < n; i += stride)
    take(i);
  if (n > 0)
    take(n - 1); // both ends are in every plot
  for (stride /= 2; stride > 0; stride /= 2)
    for (size_t i = stride; i < n; i += 2 * stride)
      take(i);
  return order;
}

void sample_plots(exec::Session& session, Judge& judge, const PlotTask& task, const Tell& tell) {
  const base::Deadline deadline(task.seconds);
  bool first = true;
  for (const auto& [input, finding] : task.findings) {
    if (deadline.passed())
      return;
    Sampler sampler(session, judge, task.ranges, finding, input);
    if (std::exchange(first, false))
      sampler.warm_up();
    tell(PlotsMessage{sampler.sample(task)});
  }
}

} // namespace faultline::judge
