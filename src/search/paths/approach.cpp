#include "search/paths/approach.h"

#include "goal/branch.h"

#include <limits>

namespace faultline::search {
namespace {

constexpr numeric::Int128 integer_steps_end = 1'000'000; // a guess: integers that decide are mostly small
constexpr double off_the_path = std::numeric_limits<double>::infinity();

class Approach {
public:
  Approach(Evaluator& evaluator, const Space& space, const exec::Input& start, size_t place)
      : evaluator_(evaluator), space_(space), place_(place), best_(start) {
    const tape::Tape tape = evaluator.run(start);
    wanted_path_ = tape::path(tape);
    wanted_path_.resize(std::min(wanted_path_.size(), place + 1));
    left_ = wanted_path_.size() > place ? distance(tape) : off_the_path;
  }

  std::optional<exec::Input> run(uint64_t most_runs) {
    if (left_ == off_the_path)
      return std::nullopt;
    const uint64_t end = evaluator_.evaluations() + most_runs;
    for (bool moved = true; moved && !done_;) {
      moved = false;
      for (size_t i = 0; i < best_.size() && !done_; ++i)
        if (!space_.dimensions[i].held())
          moved |= space_.dimensions[i].floating ? walk(i, end) : walk_integer(i, end);
      if (evaluator_.evaluations() >= end || evaluator_.spent())
        break;
    }
    return done_ ? std::optional(best_) : std::nullopt;
  }

private:
  // Steps of 2^k floats, large ones first.
  bool walk(size_t which, uint64_t end) {
    const Dimension& dimension = space_.dimensions[which];
    bool moved = false;
    for (int k = numeric::info(dimension.format).bytes * 8 - 2; k >= 0 && !done_; --k)
      for (const int sign : {1, -1})
        while (!done_ && evaluator_.evaluations() < end && step(which, numeric::Int128(sign) << k))
          moved = true;
    return moved;
  }

  bool walk_integer(size_t which, uint64_t end) {
    bool moved = false;
    for (numeric::Int128 size = 1; size < integer_steps_end && !done_; size *= 2)
      for (const int sign : {1, -1})
        if (!done_ && evaluator_.evaluations() < end && step(which, sign * size))
          moved = true;
    return moved;
  }

  bool step(size_t which, numeric::Int128 step) {
    const Dimension& dimension = space_.dimensions[which];
    exec::Input input = best_;
    const numeric::Int128 at = dimension.order(input[which]) + step;
    if (at < dimension.order(dimension.low) || at > dimension.order(dimension.high))
      return false;
    input[which] = dimension.at(at);
    const double distance_now = distance(evaluator_.run(input));
    if (!(distance_now < left_) && !done_)
      return false;
    best_ = input;
    left_ = distance_now;
    return true;
  }

  // Of the decision, if the run came to it on the same path. Sets done_ when it has turned.
  double distance(const tape::Tape& tape) {
    const std::vector<tape::Branch> path = tape::path(tape);
    if (path.size() <= place_)
      return off_the_path;
    for (size_t i = 0; i < place_; ++i)
      if (path[i].site != wanted_path_[i].site || path[i].outcome != wanted_path_[i].outcome)
        return off_the_path;
    if (path[place_].site != wanted_path_[place_].site)
      return off_the_path;
    done_ = path[place_].outcome != wanted_path_[place_].outcome;
    return done_ ? 0 : goal::distance(tape, path[place_], path[place_].outcome + 1);
  }

  Evaluator& evaluator_;
  const Space& space_;
  size_t place_;
  exec::Input best_;
  std::vector<tape::Branch> wanted_path_;
  double left_ = off_the_path;
  bool done_ = false;
};

} // namespace

std::optional<exec::Input> approach(Evaluator& evaluator, const Space& space, const exec::Input& start, size_t place,
                                    uint64_t most_runs) {
  return Approach(evaluator, space, start, place).run(most_runs);
}

} // namespace faultline::search
