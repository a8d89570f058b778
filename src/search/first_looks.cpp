#include "search/first_looks.h"

#include "tape/intended.h"

namespace faultline::search {

void look_for_intended_roundings(exec::Session& session, const Space& space, const Space& everyday, numeric::Rng rng) {
  constexpr int looks = 16; // a guess: they cost next to nothing, and argument reductions are where most inputs go
  constexpr uint64_t most_records = 1u << 14;
  for (int i = 0; i < looks; ++i) {
    const exec::Input input = i % 4 == 3 ? space.sample_floats(rng) : everyday.sample_floats(rng);
    const exec::Run& run = session.run_briefly(input, most_records);
    if (run.outcome != exec::Outcome::returned)
      return;
    tape::note_intended_roundings(session, tape::Tape(run, session.sites(), input.size()));
  }
}

} // namespace faultline::search
