// How a bound became better over time: what one had after so many seconds.
#pragma once

#include <utility>
#include <vector>

namespace faultline::bound {

class History {
public:
  // Later, and what was proved then: infinity for nothing.
  void note(double seconds, double bound);

  // Until when the bound was no more than this share above what it came to in the end; 0 if nothing was proved.
  double seconds_to_within(double share) const;

private:
  std::vector<std::pair<double, double>> better_; // seconds and bound, each bound smaller than those before
};

} // namespace faultline::bound
