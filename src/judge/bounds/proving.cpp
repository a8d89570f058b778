
#include "judge/bounds/certifying.h"
#include "judge/endings.h"
#include "judge/meaning/meaning_judge.h"
#include "judge/space_of_target.h"
#include "judge/tasks/work.h"
#include "prove/climb.h"
#include "prove/path_reader.h"
#include "prove/safety_map.h"

#include <algorithm>

namespace faultline::judge {
namespace {

using model::Proof;
using numeric::Value;

// Interval operations in all boxes: 0.1 s on a current core. Boxes of short code count as longer, as each has a fixed
// cost.
constexpr uint64_t most_operations = 1'000'000, least_operations = 40;
constexpr uint64_t first_boxes = 64; // until the code's length is known
// The part of the remaining boxes that may be used to improve a bound beyond the requested one.
constexpr uint64_t share_to_improve = 8;
constexpr double improvement = 1e-3;         // of the threshold, per step
constexpr size_t most_whole_values = 16;     // combinations of integer values; each needs a separate proof
constexpr size_t most_boxes_of_colour = 512; // of each colour, in a report of many functions

// One input for each combination of integer values.
std::vector<exec::Input> whole_inputs(const search::Space& space) {
  std::vector<exec::Input> all = {{}};
  for (const search::Dimension& dimension : space.dimensions) {
    std::vector<Value> values = dimension.values;
    if (dimension.floating)
      values = {0};
    else if (values.empty() && dimension.high - dimension.low < Value(most_whole_values))
      for (Value value = dimension.low; value <= dimension.high; ++value)
        values.push_back(value);
    std::vector<exec::Input> longer;
    for (const exec::Input& input : all)
      for (const Value value : values) {
        longer.push_back(input);
        longer.back().push_back(value);
      }
    all = std::move(longer);
    if (all.size() > most_whole_values)
      return {};
  }
  return all;
}

// The time limit for all values of the integers.
class Clock {
public:
  Clock(exec::Session& session, const Tell& tell, double seconds)
      : session_(session), tell_(tell), deadline_(seconds) {}
  bool keep_going(uint64_t boxes) {
    tell_(model::SearchProgress{boxes, 0, 0, "proving"});
    return !session_.asked_to_stop() && !deadline_.passed(1);
  }
  bool cut() const { return deadline_.cut(); }

private:
  exec::Session& session_;
  const Tell& tell_;
  Deadline deadline_;
};

// The proof for one value of each integer.
class Proving {
public:
  Proving(exec::Session& session, const model::Settings& settings, const search::Space& space, const exec::Input& whole,
          uint64_t operations, Clock& clock)
      : session_(session), settings_(settings), operations_(operations), clock_(clock),
        outputs_(judged_outputs(session.target(), settings)), formats_(oracle::formats_of(session.target(), outputs_)),
        inputs_(dimensions_of(space, whole)), paths_(session, inputs_, outputs_, formats_),
        proof_(inputs_, outputs_.size(), settings.floor,
               [this](const std::vector<double>& at) { return paths_.path_at(at); }),
        counts_(counts_of(settings, formats_)) {}

  Proof proof() {
    split_above(counts_.threshold, first_boxes);
    split_above(counts_.threshold, boxes());
    Proof proof{.measure = counting_of(settings_).measure, .threshold = counts_.threshold, .bound = bound()};
    proof.proved = proof_.complete() && proof.bound <= counts_.threshold;
    if (proof.proved)
      proof.bound = improved(proof.bound);
    else
      proof.reason = reason();
    proof.boxes = proof_.evaluated();
    proof.changing = session_.sites().changing;
    return proof;
  }

  model::SafetyMap map(const std::vector<exec::Input>& found) {
    prove::Climb climb(session_, inputs_, outputs_, formats_, settings_.floor, settings_.seed);
    const auto error_at = [&](const std::vector<double>& at) { return climb.error_at(at, counts_.measure); };
    prove::SafetyMap map(proof_, counts_, error_at);
    map.refine(first_boxes, [&] { return keep_going(); });
    map.refine(boxes(), [&] { return keep_going(); });
    for (const exec::Input& input : found)
      if (const double error = error_at({input.begin(), input.end()}); error > counts_.threshold)
        map.mark_unsafe(input, error);
    return drawn(map, most_boxes_of_colour, session_, outputs_, counting_of(settings_).measure, settings_.floor);
  }

  uint64_t evaluated() const { return proof_.evaluated(); }

private:
  static std::vector<prove::InputDimension> dimensions_of(const search::Space& space, const exec::Input& whole) {
    std::vector<prove::InputDimension> inputs;
    for (size_t i = 0; i < space.dimensions.size(); ++i) {
      const search::Dimension& dimension = space.dimensions[i];
      const prove::Interval range = dimension.floating ? prove::Interval{double(dimension.low), double(dimension.high)}
                                                       : prove::Interval::of(double(whole[i]));
      inputs.push_back({dimension.format, range, {}});
    }
    return inputs;
  }

  static prove::ErrorThreshold counts_of(const model::Settings& settings, const std::vector<numeric::Format>& formats) {
    const Counting counting = counting_of(settings);
    return {counting.measure, counting.threshold.value_or(model::failure), formats};
  }

  bool keep_going() { return clock_.keep_going(proof_.evaluated()); }

  uint64_t boxes() const {
    return std::max(operations_ / std::max<uint64_t>(paths_.longest(), least_operations), first_boxes);
  }

  void split_above(double threshold, uint64_t boxes) {
    if (proof_.evaluated() < boxes)
      proof_.refine_where([&](const prove::BoundedBox& box) { return counts_.counted(box) > threshold; },
                          {.boxes = boxes}, [this] { return keep_going(); });
  }

  // The largest bound of all boxes. Results below the smallest normal number are left out if their error does not
  // count: their relative error has no useful bound.
  double bound() const {
    double most = 0;
    for (const prove::BoundedBox* box : proof_.boxes())
      for (size_t i = 0; i < box->outputs.size(); ++i) {
        const prove::OutputBound& output = box->outputs[i];
        const double error = value_of(output, counts_.measure);
        if (error <= counts_.threshold || counts_.counted(output, i) > 0)
          most = std::max(most, error);
        else if (counts_.measure == prove::Measure::relative && output.ulps <= 1) // an ulp of a normal number
          most = std::max(most, output.ulps * double(numeric::epsilon(formats_[i])));
      }
    return most;
  }

  // The provable bound may be far below the requested one; a few more boxes show some of that.
  double improved(double bound) {
    const uint64_t most = proof_.evaluated() + boxes() / share_to_improve;
    for (double wanted = bound * improvement; proof_.evaluated() < most && keep_going(); wanted *= improvement) {
      const uint64_t before = proof_.evaluated();
      split_above(wanted, most);
      if (proof_.evaluated() == before || !proof_.complete() || !(wanted > 0))
        break;
    }
    return proof_.complete() ? std::min(bound, this->bound()) : bound;
  }

  std::string reason() const {
    const std::vector<prove::OpenBox> open = proof_.open();
    if (open.empty())
      return "the bounds of some boxes are too large";
    const auto with_reason = std::ranges::find_if(open, [](const prove::OpenBox& box) { return !box.reason.empty(); });
    return with_reason == open.end() ? "too many boxes" : with_reason->reason;
  }

  exec::Session& session_;
  const model::Settings& settings_;
  uint64_t operations_;
  Clock& clock_;
  std::vector<size_t> outputs_;
  std::vector<numeric::Format> formats_;
  std::vector<prove::InputDimension> inputs_;
  prove::PathReader paths_;
  prove::BranchAndBound proof_;
  prove::ErrorThreshold counts_;
};

} // namespace

bool can_be_proved(const model::Target& target, const model::Settings& settings) {
  const std::vector<size_t> outputs = judged_outputs(target, settings);
  if (settings.oracle != model::OracleName::lifted || !settings.wanted.error || outputs.empty() ||
      !MeaningJudge(target, settings).empty() ||
      (settings.wanted.bound && !claims_of(target, settings, outputs).empty()))
    return false;
  return std::ranges::all_of(
             target.inputs, [&](const model::Cell& cell) { return !cell.type.floating || is_given(cell, settings); }) &&
         !whole_inputs(space_of(target, settings)).empty();
}

void prove(exec::Session& session, const model::Settings& settings, const model::ProveTask& task, const Tell& tell) {
  const search::Space space = space_of(session.target(), settings);
  const std::vector<exec::Input> all = whole_inputs(space);
  Clock clock(session, tell, settings.budget_seconds);
  Proof whole{.measure = counting_of(settings).measure, .proved = !all.empty(), .bound = 0};
  for (const exec::Input& integers : all) {
    Proving proving(session, settings, space, integers, most_operations / all.size(), clock);
    if (task.found.empty()) {
      Proof proof = proving.proof();
      whole.threshold = proof.threshold;
      whole.proved = whole.proved && proof.proved;
      whole.bound = std::max(whole.bound, proof.bound);
      whole.changing = std::move(proof.changing);
      if (whole.reason.empty())
        whole.reason = proof.reason;
    } else if (all.size() == 1) {
      whole.proved = false;
      whole.threshold = counting_of(settings).threshold.value_or(model::failure);
      whole.map = proving.map(task.found);
    }
    whole.boxes += proving.evaluated();
  }
  whole.cut = clock.cut();
  if (!whole.proved)
    whole.bound = std::numeric_limits<double>::infinity();
  tell(model::ProofMessage{whole});
}

} // namespace faultline::judge
