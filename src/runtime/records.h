// The records of one taped run. They stand in the one tape of this process, which the next taped run writes over: after
// that they must not be read. Builds with FAULTLINE_CHECKED (the preset `debug`) end the process if they are.
#pragma once

#include "runtime/abi.h"
#include "runtime/tape_memory.h"

#include <span>

namespace faultline::runtime {

class Records {
public:
  Records() = default;
  // Of the run that was the last to begin.
  explicit Records(std::span<const Record> records) : records_(records), run_(taped_runs()) {}

  // Has no other taped run begun since?
  bool current() const { return run_ == taped_runs(); }
  void check() const {
#ifdef FAULTLINE_CHECKED
    if (!current())
      fail();
#endif
  }

  size_t size() const { return records_.size(); }
  const Record& operator[](size_t index) const {
    check();
    return records_[index];
  }
  std::span<const Record> all() const {
    check();
    return records_;
  }
  Records first(size_t count) const {
    Records some = *this;
    some.records_ = records_.first(count);
    return some;
  }

private:
  [[noreturn]] static void fail();

  std::span<const Record> records_;
  uint64_t run_ = 0;
};

} // namespace faultline::runtime
