// The levels of push and pop. Those that one command makes are alike, and stand as one: (push 100000) is short to
// write.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace faultline::constraint {

// `State`: what a pop goes back to.
template <class State>
class Levels {
public:
  size_t count() const { return count_; }

  void push(size_t count, State state) {
    if (count > 0)
      alike_.push_back({count, std::move(state)});
    count_ += count;
  }
  // So many levels, at least one and no more than there are: the state when the lowest of them was pushed.
  State pop(size_t count) {
    count_ -= count;
    for (; alike_.back().count < count; alike_.pop_back())
      count -= alike_.back().count;
    State state = alike_.back().state;
    alike_.back().count -= count;
    if (alike_.back().count == 0)
      alike_.pop_back();
    return state;
  }
  void clear() {
    alike_.clear();
    count_ = 0;
  }

private:
  struct Alike {
    size_t count;
    State state;
  };
  std::vector<Alike> alike_;
  size_t count_ = 0;
};

} // namespace faultline::constraint
