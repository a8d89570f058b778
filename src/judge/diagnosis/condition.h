// The simplest condition on one number that tells where something shows: x < t, x > t, |x| < t or |x| > t. From samples
// of which it is known whether it shows there.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace faultline::judge {

struct Labelled {
  long double value = 0;
  bool shows = false;
};

struct Condition {
  bool of_magnitude = false;           // of |x|
  bool below = false;                  // else above
  long double inside = 0, outside = 0; // where it still shows, and the next sample where it does not; of |x| or x
};

// Nothing if no such condition describes the samples: it holds for nearly all that show it, and hardly any other.
std::optional<Condition> condition_on(const std::vector<Labelled>& samples);

// "|x| < 1.2e-4", with the last bound that shows it; of whole numbers "n >= 8".
std::string text(const Condition& condition, const std::string& name, long double bound, bool whole = false);

} // namespace faultline::judge
