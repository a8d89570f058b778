// What a taped run leaves in the memory of this process, on lease: the next taped run writes over it. Reading it after
// that ends the process.
#pragma once

#include "runtime/abi.h"
#include "runtime/tape_memory.h"

#include <span>

namespace faultline::runtime {

[[noreturn]] void fail_stale();

template <typename T>
class Leased {
public:
  Leased() = default;
  // Of the run that was the last to begin.
  explicit Leased(std::span<const T> items) : items_(items), run_(taped_runs()) {}
  // Of an owner that keeps them as long as they are read.
  static Leased kept(std::span<const T> items) {
    Leased some(items);
    some.run_ = kept_by_owner;
    return some;
  }

  // Has no other taped run begun since?
  bool current() const { return run_ == taped_runs() || run_ == kept_by_owner; }
  void check() const {
    if (!current()) [[unlikely]]
      fail_stale();
  }

  size_t size() const { return items_.size(); }
  const T& operator[](size_t index) const {
    check();
    return items_[index];
  }
  std::span<const T> all() const {
    check();
    return items_;
  }
  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }
  Leased first(size_t count) const {
    Leased some = *this;
    some.items_ = items_.first(count);
    return some;
  }

private:
  static constexpr uint64_t kept_by_owner = ~uint64_t(0);

  std::span<const T> items_;
  uint64_t run_ = 0;
};

using Records = Leased<Record>;

} // namespace faultline::runtime
