// The default search for large rounding error.
//
// Every unstable operation has a danger function that is zero at the centre of its danger zone, so the centres can be
// searched for. Samples are taken along a line. Where the danger of a spot changes sign between two samples, a centre
// lies between them, and bisection finds it down to two neighbouring floats. Branch boundaries and the jumps of
// roundings are bracketed in the same way. Errors without a zero (huge arguments, a whole range of inputs) show in the
// samples themselves, and their peaks are climbed.
//
// With one input the line is the space. With several, lines run along single inputs through many base points. A Newton
// step along the adjoint leads from a base point to the zero of a danger function whose sign changes on no line: the
// least relative change of the inputs that makes it zero, to first order. The way there is a line too.
//
// Integer inputs are held while the floats are searched, stratum by stratum (search/bracket/strata.h). The rest of the
// effort goes to steps that rounding takes the other way (search/bracket/flips.h), which are too many to bracket one by
// one.
//
// Everything is scored by the residues (tape/residue.h), which cost a fraction of a run. The oracle checks only the
// best.
#include "search/bracket/flips.h"
#include "search/bracket/line_search.h"
#include "search/bracket/strata.h"
#include "search/strategy.h"
#include "tape/adjoint.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace faultline::search {

namespace {

constexpr size_t newton_spots = 6, newton_steps = 5; // per base point, and per spot: guesses

Value weight(Value x) { return x == 0 ? 1 : std::fabs(x); }

// Newton steps along the adjoint: from a point of a space with several inputs to the zero of a danger function whose
// sign changes on no line. The step is the least relative change of the inputs that makes the function zero to first
// order. The way there is a line, on which the zero is bracketed.
class AdjointSteps {
public:
  AdjointSteps(Quest& quest, Scorer& scorer, DangerReader& reader, BracketCloser& closer)
      : quest_(quest), scorer_(scorer), reader_(reader), closer_(closer), floats_(quest.space.free_floats()) {}

  // Steps towards the zeros of some danger functions at this point.
  void follow(const exec::Input& base) {
    const tape::Tape tape = scorer_.run(base);
    if (!scorer_.usable())
      return;
    std::vector<Reading> all, chosen;
    reader_.read(tape, all);
    for (const Reading& reading : all)
      if (reader_.signal(reading.spot) == Signal::crossing && reading.value != 0)
        chosen.push_back(reading);
    for (size_t i = 0; i < std::min(newton_spots, chosen.size()) && !scorer_.spent(); ++i) {
      std::swap(chosen[i], chosen[i + quest_.rng.below(chosen.size() - i)]);
      follow(base, chosen[i].spot);
    }
  }

private:
  void follow(exec::Input point, Spot spot) {
    for (size_t i = 0; i < newton_steps && !scorer_.spent(); ++i) {
      tape::Tape tape = scorer_.run(point);
      const uint32_t record = scorer_.usable() ? reader_.find(tape, spot) : 0;
      if (record == 0)
        return;
      const double here = reader_.read(tape, spot);
      if (here == 0) {
        scorer_.keep(point, spot.site(), scorer_.error(tape).relative);
        return;
      }
      const exec::Input step = newton_step(point, here, tape::adjoint(tape, record));
      // A straight line to the zero and as far again: the sign changes on the way if the function is nearly linear.
      exec::Input beyond = point;
      for (size_t d : floats_)
        beyond[d] = quest_.space.dimensions[d].nearest(point[d] + 2 * step[d]);
      if (scorer_.spent())
        return;
      tape = scorer_.run(beyond);
      if (const double there = scorer_.usable() ? reader_.read(tape, spot) : std::nan("");
          !std::isnan(there) && changes(Signal::crossing, here, there)) {
        const Line line = Line::between(quest_.space, point, beyond);
        closer_.close(line, {spot, 0, line.length(), here, there});
        return;
      }
      for (size_t d : floats_)
        point[d] = quest_.space.dimensions[d].nearest(point[d] + step[d]);
    }
  }

  exec::Input newton_step(const exec::Input& point, double value, const std::vector<double>& slopes) const {
    exec::Input step(point.size());
    Value norm = 0;
    for (size_t d : floats_)
      norm += std::pow((Value)slopes[d + 1] * weight(point[d]), 2.0L);
    if (norm > 0)
      for (size_t d : floats_)
        step[d] = -value * slopes[d + 1] * weight(point[d]) * weight(point[d]) / norm;
    return step;
  }

  Quest& quest_;
  Scorer& scorer_;
  DangerReader& reader_;
  BracketCloser& closer_;
  std::vector<size_t> floats_; // dimensions that move
};

using numeric::Int128;

// The constants of this strategy are guesses unless noted. `faultline bench gsl --compare none` shows what they find
// and cost (figures in docs/gsl.md).

constexpr size_t most_candidates = 64, most_of_a_site = 12; // for the oracle

// Some tenths of a second, whatever the budget.
constexpr uint64_t most_records = 40'000'000;
constexpr int probes = 4; // runs that measure the cost of a run

// For a line that is the whole space, one of many lines, and a stratum (there are about two dozen).
constexpr LineEffort whole_effort{whole_space, 320, 24, 6}, everyday_effort{everyday_space, 240, 24, 6},
    rest_effort{rest_of_space, 240, 24, 6};
constexpr LineEffort line_effort{one_of_many_lines, 16, 2, 1};
constexpr LineEffort stratum_effort{{64, 12, 1, 4}, 96, 8, 2};

// With several inputs.
constexpr uint64_t most_evaluations = 16'000, evaluations_of_a_part = 8'000;
constexpr size_t lines_of_a_base = 4;
constexpr size_t climbed = 8, climbing_rounds = 2; // the best candidates, along every input
constexpr Int128 climbing_step = Int128(1) << 40;  // floats at first: a 4096th of a binade of binary64

constexpr uint64_t most_for_flips = 2'000; // evaluations: room for 250 jumps, of eight runs each

// With integer inputs too.
constexpr uint64_t most_scouts = 2'048, scouting_part = 8; // runs, and their part of the affordable ones
constexpr size_t scouted_points = 8;                       // per choice of integers, if these are few
constexpr uint64_t evaluations_of_strata = 8'000;          // with one float
constexpr size_t strata_of_a_group = 3, fewest_strata = 8, most_strata = 24;
constexpr size_t most_looked_at = 16; // strata, one per group, first
constexpr size_t whole_strata = 2;    // strata that are searched as closely as a whole space

class BracketSearch {
public:
  explicit BracketSearch(Quest& quest)
      : quest_(quest), scorer_(quest, "bracket"), reader_(quest.evaluator.session().sites()),
        closer_(scorer_, reader_, quest.threshold), adjoint_steps_(quest, scorer_, reader_, closer_),
        line_search_(quest, scorer_, reader_, closer_), strata_(quest, scorer_, reader_), free_(quest.space.free()),
        floats_(quest.space.free_floats()) {}

  std::vector<Candidate> run() {
    if (scorer_.spent())
      return {};
    scorer_.limit(most_records);
    if (free_.empty()) {
      const exec::Input only = quest_.space.sample_floats(quest_.rng);
      scorer_.insist(only, 0, std::max(scorer_.score(only).error.relative, least_score));
      return scorer_.best(1, 1);
    }
    for (int i = 0; i < probes && !scorer_.spent(); ++i)
      scorer_.score(base_point(quest_.space, quest_.rng));
    scout();
    if (floats_.size() == 1)
      explore_one_float();
    else
      explore_lines();
    seek_flips();
    return scorer_.best(most_candidates, most_of_a_site);
  }

private:
  void explore(const Line& line, const LineEffort& effort) {
    strata_.reward(line_search_.explore(line, effort, floats_.size() == 1));
  }

  void scout() {
    if (!strata_.any())
      return;
    strata_.scout(spread_points(quest_.space, scouted_points, quest_.rng),
                  std::min(most_scouts, scorer_.affordable() / scouting_part));
  }

  // Searches along the only float. Without integers the line is the whole space. With integers it is a stratum: first
  // one of every group, then some strata as closely as a space, then others with the remaining effort.
  void explore_one_float() {
    if (!strata_.any())
      return explore(Line::along(quest_.space, base_point(quest_.space, quest_.rng), floats_.front()), closely());
    const uint64_t end = quest_.evaluator.evaluations() + evaluations_of_strata / (quest_.part == Part::whole ? 1 : 2);
    const size_t looked_at = std::min(strata_.groups(), most_looked_at);
    const size_t strata = std::clamp(strata_of_a_group * strata_.groups(), fewest_strata, most_strata);
    for (size_t i = 0; i < strata && !scorer_.spent(); ++i) {
      const bool whole = i >= looked_at && i < looked_at + whole_strata;
      if (!whole && quest_.evaluator.evaluations() >= end)
        continue;
      exec::Input base = base_point(quest_.space, quest_.rng);
      hold_next(base);
      explore(Line::along(quest_.space, base, floats_.front()), whole ? closely() : stratum_effort);
    }
  }

  // The effort for a line that is the whole part.
  const LineEffort& closely() const {
    return quest_.part == Part::everyday ? everyday_effort : quest_.part == Part::rest ? rest_effort : whole_effort;
  }

  void hold_next(exec::Input& base) {
    if (!strata_.any())
      return;
    strata_.hold_next(base);
    line_search_.forget_failures();
  }

  void seek_flips() {
    if (floats_.empty() || !quest_.errors_wanted || quest_.part == Part::rest) // everyday inputs take many steps
      return;
    numeric::Rng rng = quest_.own_rng("points");
    Flips(quest_, scorer_)
        .seek(
            [&] {
              exec::Input point = ordinary_point(quest_.space, rng);
              strata_.hold_any(point);
              return point;
            },
            most_for_flips);
  }

  void explore_lines() {
    const uint64_t begun = quest_.evaluator.evaluations();
    const uint64_t most = quest_.part == Part::whole ? most_evaluations : evaluations_of_a_part;
    auto enough = [&] { return scorer_.spent() || quest_.evaluator.evaluations() - begun >= most; };
    while (!enough()) {
      exec::Input base = base_point(quest_.space, quest_.rng);
      hold_next(base);
      std::vector<size_t> order = free_;
      for (size_t i = 0; i < std::min(lines_of_a_base, order.size()) && !enough(); ++i) {
        std::swap(order[i], order[i + quest_.rng.below(order.size() - i)]);
        explore(Line::along(quest_.space, base, order[i]), line_effort);
      }
      if (!enough())
        adjoint_steps_.follow(base); // brackets of spots that no line crosses
    }
    climb_best();
  }

  // Climbs from the best candidates, input by input.
  void climb_best() {
    for (Candidate& candidate : scorer_.best_so_far(climbed))
      for (size_t round = 0; round < climbing_rounds; ++round)
        for (size_t i = 0; i < std::min(lines_of_a_base, floats_.size()) && !scorer_.spent(); ++i) {
          const size_t dimension = floats_[floats_.size() <= lines_of_a_base ? i : quest_.rng.below(floats_.size())];
          const Line line = Line::along(quest_.space, candidate.input, dimension);
          const Int128 from = line.position(candidate.input[dimension]);
          const auto [error, position] = closer_.climb(line, from, {candidate.score, 0}, climbing_step, candidate.site);
          candidate.score = error.relative;
          line.at(position, candidate.input);
        }
  }

  Quest& quest_;
  Scorer scorer_;
  DangerReader reader_;
  BracketCloser closer_;
  AdjointSteps adjoint_steps_;
  LineSearch line_search_;
  Strata strata_;
  std::vector<size_t> free_, floats_; // dimensions that are not held
};

} // namespace

std::vector<Candidate> search_bracket(Quest& quest) { return BracketSearch(quest).run(); }

} // namespace faultline::search
