#include "judge/tasks/work.h"

#include "base/error.h"
#include "judge/bounds/certifying.h"
#include "judge/space_of_target.h"
#include "model/bound_report.h"
#include "model/job.h"
#include "model/target.h"
#include "numeric/bigfloat.h"
#include "prove/branch_and_bound.h"
#include "prove/climb.h"
#include "prove/cut.h"
#include "prove/known_paths.h"
#include "prove/path_reader.h"
#include "prove/safety_map.h"
#include "search/strategy.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <vector>

namespace faultline::judge {

using namespace model;
using namespace program;

namespace {

// The inputs of a bound, from the settings: the range of each, and how far exact ones may be from it.
bool covers_all(const search::Dimension& dimension) { return dimension.high >= numeric::largest(dimension.format); }

// Boxes have doubles at their ends, and each integer value is bounded separately.
void check_integer(const search::Dimension& dimension, const Cell& cell, const Target& target,
                   const model::Settings& settings, const model::BoundTask& task) {
  constexpr numeric::Value most = 0x1p53L;
  if (dimension.held())
    return;
  const std::string one = fmt::format("--hold {}=4", dimension.name);
  if (is_assumed(cell, target, settings) || !dimension.values.empty())
    throw base::UserError(base::status_usage, fmt::format("{} is an integer without a range", dimension.name),
                          fmt::format("{}, or --range {}=1:5", one, dimension.name));
  if (std::fabs(dimension.low) > most || std::fabs(dimension.high) > most)
    throw base::UserError(base::status_usage, fmt::format("the range of {} has too many integers", dimension.name),
                          one);
  if (task.certificate)
    throw base::UserError(base::status_usage,
                          fmt::format("a certificate is for one value of {}, an integer", dimension.name), one);
}

// Throws UserError for an input without a range, and for --input-error with an unknown input.
std::vector<prove::InputDimension> bounded_inputs(const Target& target, const model::Settings& settings,
                                                  const model::BoundTask& task) {
  std::vector<prove::InputDimension> inputs;
  const search::Space space = space_of(target, settings);
  for (size_t i = 0; i < space.dimensions.size(); ++i) {
    const search::Dimension& dimension = space.dimensions[i];
    if (!dimension.floating)
      check_integer(dimension, target.inputs[i], target, settings, task);
    else if (covers_all(dimension))
      throw base::UserError(base::status_usage, fmt::format("the range of {} is not given", dimension.name),
                            fmt::format("--range {}=LO:HI", dimension.name));
    prove::InputDimension input{dimension.format, {double(dimension.low), double(dimension.high)}, {}};
    input.whole = !dimension.floating;
    input.error.rounded = task.rounded_inputs && dimension.floating;
    for (const auto& [name, error] : task.input_errors)
      if (name == dimension.name)
        input.error = {error, false};
    inputs.push_back(input);
  }
  for (const auto& [name, error] : task.input_errors)
    if (std::ranges::none_of(target.inputs, [&](const Cell& cell) { return cell.name == name; }))
      throw base::UserError(base::status_usage, fmt::format("--input-error {}: there is no such input", name),
                            "faultline list SOURCE shows the inputs");
  return inputs;
}

// The largest safe box around a point (faultline bound --around).

// The point of --around, by input. Throws UserError for an unknown input, a point outside of the ranges, or a missing
// threshold.
std::vector<std::optional<double>> point_of(const model::BoundTask& task, const Target& target,
                                            const std::vector<prove::InputDimension>& inputs, bool has_threshold) {
  std::vector<std::optional<double>> point(inputs.size());
  if (task.around.empty())
    return {};
  if (!has_threshold)
    throw base::UserError(base::status_usage, "--around needs a limit for safe errors", "--threshold 1e-9");
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].range.single())
      point[i] = inputs[i].range.low;
  for (const auto& [name, value] : task.around) {
    const auto cell = std::ranges::find(target.inputs, name, &Cell::name);
    if (cell == target.inputs.end())
      throw base::UserError(base::status_usage, fmt::format("--around {}: there is no such input", name),
                            "faultline list SOURCE shows the inputs");
    const auto i = size_t(cell - target.inputs.begin());
    const double nearest = prove::rounded_to(value, inputs[i].format);
    if (!inputs[i].range.has(nearest))
      throw base::UserError(base::status_usage, fmt::format("--around {}={}: that is not in its range", name, value),
                            fmt::format("--range {}={}:{}", name, std::min(value, inputs[i].range.low),
                                        std::max(value, inputs[i].range.high)));
    point[i] = nearest;
  }
  return point;
}

model::SafeAround safe_around(const std::vector<std::optional<double>>& point,
                              const std::vector<prove::InputDimension>& inputs, size_t outputs, double floor,
                              const prove::PathOf& path_of, const prove::ErrorThreshold& counts,
                              const std::function<bool()>& keep_going) {
  model::SafeAround around;
  for (size_t i = 0; i < point.size(); ++i)
    around.point.push_back(point[i].value_or(std::numeric_limits<double>::quiet_NaN()));
  if (const std::optional<prove::SafeBox> safe =
          prove::safe_around(inputs, point, outputs, floor, path_of, counts, keep_going)) {
    around.box = ends_of(safe->box);
    around.bound = safe->bound;
  }
  return around;
}

// Inputs with large errors of all sizes in one measure, found as by a hunt with small thresholds: brackets, samples,
// and a climb (search/strategy.cpp). They and the climb within the boxes are the lower side of a bound.

// The most promising first. Uses at most this many evaluations and seconds.
std::vector<exec::Input> worst_inputs(exec::Session& session, const model::Settings& settings,
                                      const std::vector<size_t>& outputs, search::ErrorMeasure counted_in,
                                      uint64_t evaluations, double seconds) {
  search::Budget budget;
  budget.evaluations = evaluations;
  budget.seconds = seconds;
  search::Evaluator evaluator(session, budget, [](const exec::Input&, const exec::Run&, const tape::Tape&) {});
  const search::Space space = space_of(session.target(), settings);
  search::Quest quest{evaluator,
                      space,
                      outputs,
                      numeric::Rng(settings.seed).fork("bound"),
                      {.counted_in = counted_in, .use_all = true, .floor = settings.floor, .climbs = true}};
  std::vector<exec::Input> inputs;
  for (search::Candidate& candidate : search::search(*search::find_strategy("auto"), quest))
    inputs.push_back(std::move(candidate.input));
  return inputs;
}

using model::Bounds;
using model::ErrorMeasure;
using prove::Measure;

// Fractions of the time at which each part ends. Most functions need a hundredth of it.
constexpr double until_proved = 0.35, until_mapped = 0.6, until_grown = 0.75, until_hunted = 0.85;
// Of the boxes examined: about ten seconds on a current core.
constexpr uint64_t most_boxes = 2'000'000;
constexpr uint64_t most_mapped = 100'000;
// Evaluations per turn of a climb, and in total for one output and measure.
constexpr uint64_t climb_turn = 20'000, climb_whole = 240'000;
constexpr uint64_t hunt_whole = 300'000; // evaluations per measure
constexpr size_t boxes_to_search = 64, most_unproven_told = 16, most_map_boxes = 4'096;

class Bounding {
public:
  Bounding(exec::Session& session, const model::Settings& settings, const model::BoundTask& task, const Tell& tell)
      : session_(session), settings_(settings), task_(task), tell_(tell),
        inputs_(bounded_inputs(session.target(), settings, task)), outputs_(judged_outputs(session.target(), settings)),
        formats_(oracle::formats_of(session.target(), outputs_)), deadline_(task.seconds),
        paths_(session, inputs_, outputs_, formats_),
        path_of_([this](const std::vector<double>& at) { return paths_.path_at(at); }),
        proof_(inputs_, outputs_.size(), settings.floor, path_of_, task.certificate),
        borders_(outputs_.size() * prove::measures),
        climb_(session, inputs_, outputs_, formats_, settings.floor, settings.seed),
        around_(point_of(task, session.target(), inputs_, counting_of(settings).threshold.has_value())),
        histories_(outputs_.size()) {}

  void run() {
    const Counting counting = counting_of(settings_);
    for (const ErrorMeasure measure : model::all_measures)
      proof_.run(measure, {.boxes = proof_.evaluated() + most_boxes, .wide_borders = !task_.certificate},
                 [&] { return note_history() && keep_going("proving", until_proved); });
    proving_seconds_ = deadline_.seconds();
    note_history();
    if (counting.threshold)
      draw_map(counting.measure, *counting.threshold);
    if (!around_.empty())
      safe_around_ = safe_around(around_, inputs_, outputs_.size(), settings_.floor, path_of_,
                                 {counting.measure, *counting.threshold},
                                 [&] { return keep_going("growing a safe box", until_grown); });
    hunt();
    climb();
    look_at_borders();
    if (task_.certificate)
      tell_certificate();
    tell_(model::BoundsMessage{bounds(counting)});
  }

private:
  // The worst error that the oracle confirmed at borders.
  struct Border {
    double error = 0;
    exec::Input input;
  };
  Border& border(size_t output, ErrorMeasure measure) { return borders_[output * prove::measures + size_t(measure)]; }

  bool note_history() {
    for (size_t output = 0; output < outputs_.size(); ++output)
      histories_[output].note(deadline_.seconds(), proof_.proven_so_far(output, Measure::absolute));
    return true;
  }

  bool keep_going(const char* phase, double share) {
    tell_(model::SearchProgress{proof_.evaluated() + climb_.evaluations(), 0, 0, phase});
    return !session_.asked_to_stop() && !deadline_.passed(share);
  }

  void draw_map(Measure measure, double threshold) {
    // Separate from the proof, whose boxes are small where its bounds are largest. Here they are small where it is not
    // safe.
    mapped_.emplace(inputs_, outputs_.size(), settings_.floor, path_of_);
    map_.emplace(*mapped_, prove::ErrorThreshold{measure, threshold},
                 [this, measure](const std::vector<double>& at) { return climb_.error_at(at, measure); });
    map_->refine(most_mapped, [&] { return keep_going("mapping", until_mapped); });
  }

  bool is_near(size_t output, Measure measure) const {
    const double found = climb_.best(output, measure).error;
    return found > 0 && proof_.proven(output, measure) <= task_.ratio * found;
  }

  // Where one float in millions has the error, boxes do not lead to it. A hunt is more likely to find it.
  void hunt() {
    for (const ErrorMeasure measure : model::all_measures) {
      bool near = true;
      for (size_t output = 0; output < outputs_.size(); ++output)
        near = near && is_near(output, measure);
      if (near || !keep_going("searching", until_hunted))
        continue;
      const double seconds = (task_.seconds * until_hunted - deadline_.seconds()) / 2;
      for (const exec::Input& input : worst_inputs(session_, settings_, outputs_, measure, hunt_whole, seconds))
        climb_.error_at({input.begin(), input.end()}, measure);
    }
  }

  // Climbs in turns, so that every output and measure gets time.
  void climb() {
    for (uint64_t spent = 0; spent < climb_whole; spent += climb_turn)
      for (size_t output = 0; output < outputs_.size(); ++output)
        for (const ErrorMeasure measure : model::all_measures) {
          if (is_near(output, measure))
            continue;
          if (!keep_going("searching", 1))
            return;
          climb_.run(proof_.worst(output, measure, boxes_to_search), output, measure, climb_turn,
                     [&] { return keep_going("searching", 1); });
        }
  }

  // A certificate that is too long for a message would lose the bounds as well.
  void tell_certificate() {
    const model::CertificateMessage message{certificate()};
    if (message_text(message).size() <= model::largest_certificate)
      tell_(message);
  }

  model::Certificate certificate() const {
    std::vector<model::CertifiedInput> inputs;
    for (size_t i = 0; i < inputs_.size(); ++i)
      inputs.push_back({session_.target().inputs[i].name, inputs_[i].format, inputs_[i].range.low,
                        inputs_[i].range.high, inputs_[i].error.absolute, inputs_[i].error.rounded});
    std::vector<model::CertifiedOutput> outputs;
    for (size_t i = 0; i < outputs_.size(); ++i)
      outputs.push_back({session_.target().outputs[outputs_[i]].name, formats_[i]});
    return certificate_of(proof_, std::move(inputs), std::move(outputs), settings_.floor);
  }

  // A climb follows the path of the run and does not see the results of other paths, but the oracle does.
  void look_at_borders() {
    std::set<exec::Input> seen;
    for (size_t output = 0; output < outputs_.size(); ++output)
      for (const ErrorMeasure measure : model::all_measures)
        for (const prove::BoundedBox* box : proof_.worst(output, measure, boxes_to_search))
          for (const std::vector<double>& point : prove::points_near_border(box->box, inputs_, path_of_)) {
            const exec::Input input(point.begin(), point.end());
            if (seen.insert(input).second && keep_going("looking at borders", 1))
              note_border(input);
          }
  }

  void note_border(const exec::Input& input) {
    for (size_t output = 0; output < outputs_.size(); ++output)
      if (const std::optional<oracle::OutputJudgement> judged =
              judge_at(session_, input, outputs_[output], settings_.floor))
        for (const ErrorMeasure measure : model::all_measures)
          if (const double error = error_of(*judged, measure); error > border(output, measure).error)
            border(output, measure) = {error, input};
  }

  Bounds bounds(const Counting& counting) {
    Bounds bounds;
    for (size_t i = 0; i < outputs_.size(); ++i) {
      model::BoundedOutput output{session_.target().outputs[outputs_[i]].name, {}};
      for (const ErrorMeasure measure : model::all_measures)
        output.sides[size_t(measure)] = sides(i, measure);
      bounds.outputs.push_back(std::move(output));
    }
    std::vector<prove::OpenBox> open = proof_.open();
    bounds.unproven = open.size();
    bounds.unproven_hull = hull_of(open);
    // The widest boxes describe the border best.
    std::ranges::sort(open, std::ranges::greater{}, [&](const prove::OpenBox& box) { return size_of(box.box); });
    for (size_t i = 0; i < open.size() && i < most_unproven_told; ++i)
      bounds.unproven_samples.push_back({ends_of(open[i].box), open[i].reason});
    bounds.boxes = proof_.evaluated();
    bounds.paths = paths_.paths();
    bounds.evaluations = climb_.evaluations();
    bounds.seconds = deadline_.seconds();
    bounds.proving_seconds = proving_seconds_;
    for (const prove::History& history : histories_)
      bounds.nearly_seconds = std::max(bounds.nearly_seconds, history.seconds_to_within(0.01));
    bounds.stopped = session_.asked_to_stop();
    if (counting.threshold)
      bounds.map = map(counting);
    bounds.around = safe_around_;
    bounds.changing = session_.sites().changing;
    if (task_.curve)
      bounds.curve = error_curve({inputs_, outputs_.size(), settings_.floor, path_of_}, climb_,
                                 [&] { return keep_going("drawing", 1.8); });
    return bounds;
  }

  double size_of(const prove::Box& box) const {
    double size = 1;
    for (size_t i = 0; i < box.size(); ++i)
      if (!inputs_[i].range.single())
        size *= (box[i].high - box[i].low) / (inputs_[i].range.high - inputs_[i].range.low);
    return size;
  }

  // The oracle confirms the results of the climbs. An error that is large by one measure may be large by another.
  model::BothSides sides(size_t output, ErrorMeasure measure) {
    model::BothSides sides{proof_.proven(output, measure), 0, {}};
    for (const ErrorMeasure other : model::all_measures)
      for (const exec::Input& input : {climb_.best(output, other).input, border(output, other).input}) {
        const auto judged = input.empty() ? std::nullopt : judge_at(session_, input, outputs_[output], settings_.floor);
        if (!judged)
          continue;
        const double found = rounded_down(error_of(*judged, measure));
        if (sides.input.empty() || found > sides.found) {
          sides.found = found;
          sides.input = input;
        }
      }
    if (proof_.complete() && sides.found > sides.proven && plain_inputs())
      throw base::UserError(base::status_internal,
                            fmt::format("an error of {:.3e} ({}) was found, above the proved bound of {:.3e}",
                                        sides.found, model::text(measure), sides.proven),
                            "this is a bug in Faultline: please report it with the code and the command");
    return sides;
  }

  bool plain_inputs() const {
    return std::ranges::none_of(inputs_, [](const prove::InputDimension& input) { return input.error.absolute != 0; });
  }

  model::SafetyMap map(const Counting& counting) {
    const Measure measure = counting.measure;
    for (size_t output = 0; output < outputs_.size(); ++output)
      if (const prove::WorstInput& best = climb_.best(output, measure); best.error > *counting.threshold)
        map_->mark_unsafe(best.input, best.error);
    return drawn(*map_, most_map_boxes, session_, outputs_, counting.measure, settings_.floor);
  }

  exec::Session& session_;
  const model::Settings& settings_;
  const model::BoundTask& task_;
  const Tell& tell_;
  std::vector<prove::InputDimension> inputs_;
  std::vector<size_t> outputs_;
  std::vector<numeric::Format> formats_;
  Deadline deadline_;
  prove::PathReader paths_;
  prove::PathOf path_of_;
  prove::BranchAndBound proof_;
  std::vector<Border> borders_; // by output and measure
  prove::Climb climb_;
  std::optional<prove::BranchAndBound> mapped_;
  std::optional<prove::SafetyMap> map_;
  std::vector<std::optional<double>> around_; // the point, by input; empty without --around
  std::optional<model::SafeAround> safe_around_;
  double proving_seconds_ = 0;
  std::vector<prove::History> histories_; // each output's absolute error
};

} // namespace

Counting counting_of(const model::Settings& settings) {
  if (settings.absolute)
    return {settings.absolute, ErrorMeasure::absolute};
  if (settings.ulps)
    return {settings.ulps, ErrorMeasure::ulps};
  return {settings.threshold, ErrorMeasure::relative};
}

void bound(exec::Session& session, const model::Settings& settings, const model::BoundTask& task, const Tell& tell) {
  Bounding(session, settings, task, tell).run();
}

} // namespace faultline::judge
