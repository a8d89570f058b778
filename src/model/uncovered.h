// The greedy choice of candidates that together show all decisions of a set. It takes at most ln(decisions) + 1 times
// as many as the minimum (Chvatal, 1979). The time is nearly proportional to the number of decisions of all candidates,
// which may come from a worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace faultline::model {

class Uncovered {
public:
  using Decision = std::pair<uint32_t, int64_t>; // a site, and the branch taken there

  struct Candidate {
    const std::vector<Decision>& decisions;
    bool last = false;      // chosen only for what no other candidate shows
    double strangeness = 0; // of those that show equally many, the least strange is the best, then the first
  };

  // `is_wanted`: of a decision.
  Uncovered(std::vector<Candidate> candidates, const auto& is_wanted)
      : candidates_(std::move(candidates)), shows_(candidates_.size()) {
    for (size_t i = 0; i < candidates_.size(); ++i)
      for (const Decision& decision : candidates_[i].decisions)
        if (is_wanted(decision))
          shows_[i] += showing_[decision].insert(i).second;
    for (size_t i = 0; i < candidates_.size(); ++i)
      if (shows_[i] > 0)
        ranked_.insert(rank(i));
  }

  // The candidate that shows most decisions that none of the taken ones shows; none if there are no such decisions.
  std::optional<size_t> best() const {
    return ranked_.empty() ? std::nullopt : std::optional(std::get<size_t>(*ranked_.begin()));
  }

  void take(size_t taken) {
    for (const Decision& decision : candidates_[taken].decisions)
      if (const auto found = showing_.find(decision); found != showing_.end())
        for (const size_t i : std::exchange(found->second, {})) {
          ranked_.erase(rank(i));
          if (--shows_[i] > 0)
            ranked_.insert(rank(i));
        }
  }

private:
  using Rank = std::tuple<bool, int64_t, double, size_t>;

  Rank rank(size_t i) const { return {candidates_[i].last, -int64_t(shows_[i]), candidates_[i].strangeness, i}; }

  std::vector<Candidate> candidates_;
  std::vector<size_t> shows_;                    // the decisions that none of the taken ones shows
  std::map<Decision, std::set<size_t>> showing_; // the candidates of each of them
  std::set<Rank> ranked_;
};

} // namespace faultline::model
