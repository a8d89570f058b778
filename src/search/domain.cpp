#include "search/domain.h"

#include "tape/tape.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace faultline::search {

namespace {

// Guesses. Samples cost as little as the checks that end them.
constexpr size_t plain_samples = 128, samples_a_round = 192, most_rounds = 8, least_deep = 4;
constexpr uint64_t longest_run = 1u << 13;
constexpr size_t rare = 16; // samples for each that passes all checks: more of them need no help

struct Sample {
  exec::Input input;
  uint64_t records = 0;
};

// The dimension and the constants with which a comparison restricts it.
class Borders {
public:
  explicit Borders(const Space& space) : space_(space), of_(space.dimensions.size()) {}

  void look_at(const tape::Tape& tape) {
    for (uint32_t index = 1; index < tape.size(); ++index) {
      if (!ops::is_comparison(tape.site(index).op))
        continue;
      const uint32_t a = tape.operand(index, 0), b = tape.operand(index, 1);
      if (runtime::is_constant(b))
        note(tape, a, tape.exact(b));
      else if (runtime::is_constant(a))
        note(tape, b, tape.exact(a));
    }
  }

  bool empty() const {
    return std::ranges::all_of(of_, [](const std::set<Value>& values) { return values.empty(); });
  }

  // The stretch between neighbouring borders that contains the value.
  Stretch around(size_t cell, Value value) const {
    const Dimension& dimension = space_.dimensions[cell];
    Stretch stretch{dimension.low, dimension.high};
    for (const Value border : of_[cell]) {
      if (border <= value)
        stretch.low = std::max(stretch.low, border);
      if (border >= value)
        stretch.high = std::min(stretch.high, border);
    }
    return stretch;
  }

  // Any value between any two neighbouring borders.
  Value draw(size_t cell, numeric::Rng& rng) const {
    Dimension dimension = space_.dimensions[cell];
    std::vector<Value> ends = {dimension.low};
    for (const Value border : of_[cell])
      if (border > dimension.low && border < dimension.high)
        ends.push_back(border);
    ends.push_back(dimension.high);
    const size_t part = rng.below(ends.size() - 1);
    dimension.low = ends[part];
    dimension.high = ends[part + 1];
    if (dimension.given() && rng.coin())
      return dimension.nearest(dimension.low + (dimension.high - dimension.low) * Value(rng.uniform()));
    return dimension.draw(rng);
  }

private:
  void note(const tape::Tape& tape, uint32_t operand, Value border) {
    bool both = false;
    while (!runtime::is_constant(operand) && operand > tape.inputs()) {
      const ops::Op op = tape.site(operand).op;
      if (op != ops::Op::fabs && op != ops::Op::fneg)
        return;
      both = true;
      operand = tape.operand(operand, 0);
    }
    const size_t cell = operand - 1;
    if (runtime::is_constant(operand) || operand == 0 || !std::isfinite(border) || space_.dimensions[cell].held() ||
        !space_.dimensions[cell].floating)
      return;
    of_[cell].insert(border);
    if (both)
      of_[cell].insert(-border);
  }

  const Space& space_;
  std::vector<std::set<Value>> of_; // by dimension
};

class Sampler {
public:
  Sampler(exec::Session& session, const Space& space) : session_(session), borders_(space) {}

  const Borders& borders() const { return borders_; }

  // False if the session was asked to stop.
  bool run(exec::Input input) {
    const exec::Run& run = session_.run_briefly(input, longest_run);
    if (run.outcome == exec::Outcome::timed_out || run.outcome == exec::Outcome::out_of_memory)
      return false; // more of such runs would take all of the search's time
    if (run.outcome != exec::Outcome::returned || run.refused_at)
      return !session_.asked_to_stop();
    const tape::Tape tape(run, session_.sites(), input.size());
    borders_.look_at(tape);
    samples_.push_back({std::move(input), tape.size()});
    return !session_.asked_to_stop();
  }

  // The runs that are almost as long as the longest one.
  std::vector<const Sample*> deep() const {
    uint64_t longest = 0;
    for (const Sample& sample : samples_)
      longest = std::max(longest, sample.records);
    std::vector<const Sample*> deep;
    for (const Sample& sample : samples_)
      if (sample.records * 4 >= longest * 3)
        deep.push_back(&sample);
    return deep;
  }

  // A round of inputs between borders: every other one is a long run's, with another value of one dimension.
  bool explore(const Space& space, numeric::Rng& rng) {
    std::vector<exec::Input> inputs;
    for (const Sample* sample : deep())
      inputs.push_back(sample->input);
    const std::vector<size_t> free = space.free_floats();
    for (size_t i = 0; i < samples_a_round; ++i) {
      const bool anew = i % 2 == 0;
      exec::Input input = anew ? space.sample_floats(rng) : inputs[rng.below(inputs.size())];
      const size_t only = free[rng.below(free.size())];
      for (const size_t cell : free)
        if (anew || cell == only)
          input[cell] = borders_.draw(cell, rng);
      if (!run(std::move(input)))
        return false;
    }
    return true;
  }

private:
  exec::Session& session_;
  Borders borders_;
  std::vector<Sample> samples_;
};

// The stretches of each dimension in which all of the long runs lie.
Space narrowed(const Space& space, const Borders& borders, const std::vector<const Sample*>& deep) {
  Space narrow = space;
  for (size_t cell = 0; cell < space.dimensions.size(); ++cell) {
    Dimension& dimension = narrow.dimensions[cell];
    Stretch all = borders.around(cell, deep.front()->input[cell]);
    for (const Sample* sample : deep) {
      const Stretch own = borders.around(cell, sample->input[cell]);
      all.low = std::min(all.low, own.low);
      all.high = std::max(all.high, own.high);
    }
    if (!dimension.floating || dimension.held() || !(all.low < all.high))
      continue;
    dimension.low = all.low;
    dimension.high = all.high;
  }
  return narrow;
}

} // namespace

std::optional<Space> domain_of_code(exec::Session& session, const Space& space, numeric::Rng rng) {
  if (space.legality || space.free_floats().empty())
    return std::nullopt;
  Sampler sampler(session, space), plain(session, space);
  for (size_t i = 0; i < plain_samples; ++i) {
    const exec::Input input = space.sample_floats(rng);
    if (!plain.run(input) || !sampler.run(input))
      return std::nullopt;
  }
  if (sampler.borders().empty() || sampler.deep().empty())
    return std::nullopt;
  for (size_t round = 0; round < most_rounds; ++round)
    if (!sampler.explore(space, rng))
      return std::nullopt;
  const std::vector<const Sample*> deep = sampler.deep(), often = plain.deep();
  const bool is_rare =
      often.empty() || often.front()->records * 4 < deep.front()->records * 3 || often.size() * rare < plain_samples;
  if (!is_rare || deep.size() < least_deep)
    return std::nullopt;
  Space narrow = narrowed(space, sampler.borders(), deep);
  return narrow == space ? std::nullopt : std::optional(std::move(narrow));
}

} // namespace faultline::search
