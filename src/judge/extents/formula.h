// How long an array is, as a formula of the function's integers: n, n * n, n * (n + 1) / 2, (n - 1) * inc + 1. It is
// told by what runs with various integers have touched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace faultline::judge {

// What runs with these integers have touched of one array, at most.
struct Touched {
  std::vector<int64_t> integers;
  uint64_t elements = 0;
};

// One of a small family, with the integers that it is about.
class Formula {
public:
  Formula(size_t form, std::vector<size_t> integers) : form_(form), integers_(std::move(integers)) {}

  // Never negative.
  uint64_t at(const std::vector<int64_t>& integers) const;
  std::string text(const std::vector<std::string>& names) const;
  const std::vector<size_t>& integers() const { return integers_; }
  bool is_difference() const; // of two integers: the second must not be as large as the first

private:
  size_t form_;
  std::vector<size_t> integers_;
};

// The formula that no run goes beyond and that most runs touch to the end; of several the simplest. None: there is no
// such formula, as fewer than half of the runs that touch the array touch all that it says.
std::optional<Formula> fit(const std::vector<Touched>& runs);

} // namespace faultline::judge
