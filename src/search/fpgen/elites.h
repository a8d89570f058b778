// The best inputs so far by one measure, and others that are best of their kind.
//
// A hill climb that has taken to one weakness of the code seldom comes over to another, which may promise less at first
// and lead further. So there is an elite for each suspect operation and size of the absolute error, however small its
// error is beside the largest (the idea of MAP-Elites: Mouret and Clune, 2015).
#pragma once

#include "search/fpgen/true_error.h"

#include <map>
#include <vector>

namespace faultline::search {

class Elites {
public:
  struct Elite {
    Found found;
    int worked_on = 0;
  };
  explicit Elites(Aim aim) : aim_(aim) {}

  void add(const Found& found);
  // Where a climb has ended, with the operation that makes the error.
  void add(const Found& found, uint32_t suspect);

  // The one that was worked on least: of the largest errors, or of all kinds. The larger error, if there are several;
  // null if there is none.
  Elite* next_of_best() { return next(best_); }
  Elite* next_of_kinds();
  // Largest error first.
  const std::vector<Elite>& best() const { return best_; }
  std::map<uint32_t, Found> best_of_suspects() const;

private:
  Elite* next(std::vector<Elite>& from);
  double error(const Elite& elite) const { return error_of(elite.found.error, aim_); }

  Aim aim_;
  std::vector<Elite> best_;
  std::map<std::pair<uint32_t, int>, Elite> kinds_; // by suspect, and exponent of the absolute error
};

} // namespace faultline::search
