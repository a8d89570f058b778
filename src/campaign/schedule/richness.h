// How many problems are still to be found? A question of ecology: of how many species does a sample that saw so many
// once, and so many twice, say nothing?
//
// Chao's estimate (Chao 1984; for incidences 1987): at least q1^2 / (2 q2) are unseen, where q1 problems were seen in
// one job and q2 in two. It holds whatever the chances of the single problems are, and however many jobs each function
// had, as a lower bound on what these searches can find at all. The interval is that of Chao (1987), log-normal, 95 %.
#pragma once

#include <cstdint>

namespace faultline::campaign {

struct Incidence {
  uint64_t seen = 0;            // problems
  uint64_t once = 0, twice = 0; // of these, in one job, and in two
};

struct Unseen {
  double estimate = 0;
  double low = 0, high = 0;
};
Unseen unseen_of(const Incidence& incidence);

} // namespace faultline::campaign
