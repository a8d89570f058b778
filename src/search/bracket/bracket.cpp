// The default search for large rounding error.
//
// Every unstable operation has a danger function that is zero at the centre of its danger zone. So the centres need not
// be stumbled upon: samples are taken along a line, and where a spot's danger changes sign from one sample to the next,
// a centre lies between them; it is bisected down to two neighbouring floats. Branch boundaries and the jumps of
// roundings are bracketed the same way. Errors that come without a zero (huge arguments, a whole range of inputs) show
// in the samples themselves; their peaks are climbed.
//
// With one input the line is the space. With several, lines run along single inputs through many base points, and a
// Newton step along the adjoint leads from a base point to the zero of a danger function whose sign no line has seen
// change: the least relative change of the inputs that makes it zero, to first order. The way there is a line too.
//
// Integers beside floats are held, stratum by stratum (search/strata.h). What is left of the effort goes to steps that
// rounding takes the other way (search/flips.h): there are more of them than brackets can be closed.
//
// Everything is scored by the residues (tape/residue.h), which cost a fraction of a run; the oracle sees the best.
#include "search/bracket/adjoint_steps.h"
#include "search/bracket/base_points.h"
#include "search/bracket/bracket_closer.h"
#include "search/bracket/flips.h"
#include "search/bracket/strata.h"
#include "search/bracket/turns.h"
#include "search/sampling.h"
#include "search/strategy.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace faultline::search {
namespace {

using numeric::Int128;

constexpr size_t most_candidates = 64, most_of_a_site = 12;

struct Sample {
  Int128 position = 0;
  tape::EstimatedError error = {};
  long double value = 0; // of the input that moves
  bool usable = false;   // it was run, and returned
};

// How much to do on a line.
struct Effort {
  Density density;
  size_t brackets; // closed, of all spots
  size_t of_spot;  // of one spot
  size_t peaks;    // climbed
};
constexpr Effort whole_effort{whole_space, 320, 24, 6};
constexpr size_t absolute_peaks = 2;
constexpr size_t every_other = 24, most_shown = 96;
constexpr double hardly_any = 1e-300;
constexpr int patience = 24;           // brackets; the jumps of a range reduction are some, and come to nothing
constexpr double promising = 1e-2;     // of the threshold
constexpr double sampling_share = 0.5; // of a small budget, at most
constexpr Effort line_effort{one_of_many_lines, 16, 2, 1};

// What a search without a budget of the user's may cost, in records: some tenths of a second.
constexpr uint64_t most_records = 40'000'000;
constexpr int probes = 4; // runs that tell what a run costs

// With several inputs.
constexpr uint64_t most_evaluations = 16'000;
constexpr size_t lines_of_a_base = 4;
constexpr size_t climbed = 8, climbing_rounds = 2; // of the best candidates, along every input

constexpr uint64_t most_for_flips = 2'000; // evaluations

// With integers beside the floats.
constexpr uint64_t most_scouts = 2'048, scouting_part = 8; // of what is affordable
constexpr size_t scouted_points = 8;
constexpr uint64_t evaluations_of_strata = 8'000; // with one float
constexpr size_t fewest_strata = 8, most_strata = 24;
constexpr size_t most_looked_at = 16, whole_strata = 2; // of these: whole ones are searched as closely as a space
constexpr Effort stratum_effort{{64, 12, 1, 4}, 96, 8, 2};

class BracketSearch {
public:
  explicit BracketSearch(Quest& quest)
      : quest_(quest), scorer_(quest, "bracket"), reader_(quest.evaluator.session().sites()),
        closing_(scorer_, reader_, quest.threshold), adjoint_steps_(quest, scorer_, reader_, closing_),
        strata_(quest, scorer_, reader_), floats_(moving_floats(quest.space)), seen_(reader_.spots()),
        records_(quest.evaluator.session().sites().sites.size()),
        constants_(telling_constants(quest.evaluator.session().sites())) {
    for (size_t i = 0; i < quest.space.dimensions.size(); ++i)
      if (!quest.space.dimensions[i].held())
        free_.push_back(i);
  }

  std::vector<Candidate> run() {
    if (scorer_.spent())
      return {};
    scorer_.limit(most_records);
    if (free_.empty()) {
      const exec::Input only = quest_.space.sample_floats(quest_.rng);
      scorer_.insist(only, 0, std::max(scorer_.score(only).error.relative, hardly_any));
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
  void explore(const Line& line, const Effort& effort) {
    largest_ = 0;
    sample(line, effort.density);
    close_brackets(line, effort);
    climb_peaks(line, effort.peaks, BracketCloser::Measure::relative);
    if (floats_.size() == 1) {
      climb_peaks(line, absolute_peaks, BracketCloser::Measure::absolute);
      keep_ends(line);
    }
    if (!quest_.claims.empty())
      climb_peaks(line, effort.peaks, BracketCloser::Measure::claim);
    strata_.reward(largest_);
  }

  // Runs the samples. Those after one that did not end are passed over: a few of them would end the search, with most
  // of the line unseen.
  void sample(const Line& line, const Density& density) {
    std::vector<Int128> positions = sample_positions(line, density, constants_, quest_.rng);
    thin(positions, size_t(double(scorer_.affordable()) * sampling_share));
    samples_.assign(positions.size(), {});
    if (readings_.size() < positions.size())
      readings_.resize(positions.size());
    exec::Input input;
    const size_t stretch = positions.size() / 16 + 1;
    for (size_t i = 0; i < positions.size() && !scorer_.spent(); i += quest_.evaluator.ended() ? 1 : stretch) {
      line.at(positions[i], input);
      const Scorer::Scored scored = scorer_.score(input);
      samples_[i] = {positions[i], scored.error, input[line.dimension()], scored.usable};
      largest_ = std::max(largest_, scored.error.relative);
      if (scored.usable)
        reader_.read(scored.tape, readings_[i]);
      // What the oracle sees need not show on the tape: then samples from everywhere go to it.
      if (quest_.oracle_sees_more && scored.usable && i % every_other == every_other / 2 && ++shown_ <= most_shown)
        scorer_.insist(input, 0, hardly_any);
    }
    find_brackets();
  }

  // Where the readings of neighbouring samples differ.
  void find_brackets() {
    brackets_.clear();
    for (Seen& seen : seen_)
      seen.sample = none;
    for (size_t i = 0; i < samples_.size(); ++i) {
      if (!samples_[i].usable)
        continue;
      for (const Reading& reading : readings_[i]) {
        Seen& seen = seen_[reading.spot.index];
        if (seen.sample + 1 == i && changes(reader_.signal(reading.spot), seen.value, reading.value))
          brackets_.push_back({reading.spot, samples_[i - 1].position, samples_[i].position, seen.value, reading.value,
                               samples_[i].value - samples_[i - 1].value});
        seen = {i, reading.value};
      }
    }
  }

  // So many of them, from all over the line.
  static void thin(std::vector<Int128>& positions, size_t most) {
    if (positions.size() <= most)
      return;
    most = std::max<size_t>(most, 1);
    for (size_t i = 0; i < most; ++i)
      positions[i] = positions[(2 * i + 1) * positions.size() / (2 * most)];
    positions.resize(most);
  }

  // A site whose brackets come to nothing again and again is not dangerous, whatever its danger function says.
  void close_brackets(const Line& line, const Effort& effort) {
    size_t closed = 0;
    for (const Bracket& bracket : in_turns(brackets_, reader_, effort.of_spot, quest_.rng)) {
      if (closed == effort.brackets || scorer_.spent())
        return;
      Record& record = records_[bracket.spot.site()];
      if (record.failures >= patience && record.successes == 0)
        continue;
      const double error = closing_.close(line, bracket);
      largest_ = std::max(largest_, error);
      const bool success = error >= quest_.threshold * promising;
      ++(success ? record.successes : record.failures);
      ++closed;
    }
  }

  // The samples with a larger error than their neighbours, largest first.
  void climb_peaks(const Line& line, size_t most, BracketCloser::Measure measure) {
    auto height = [&](size_t i) { return closing_.height(samples_[i].error, measure); };
    std::vector<size_t> peaks;
    for (size_t i = 0; i < samples_.size(); ++i) {
      const double before = i > 0 ? height(i - 1) : 0, after = i + 1 < samples_.size() ? height(i + 1) : 0;
      if (height(i) > 0 && height(i) >= before && height(i) >= after)
        peaks.push_back(i);
    }
    std::sort(peaks.begin(), peaks.end(),
              [&](size_t a, size_t b) { return std::tuple(height(b), a) < std::tuple(height(a), b); });
    for (size_t i = 0; i < std::min(most, peaks.size()); ++i) {
      const size_t peak = peaks[i];
      const Int128 before = peak > 0 ? samples_[peak - 1].position : 0;
      const Int128 after = peak + 1 < samples_.size() ? samples_[peak + 1].position : line.length();
      closing_.climb(line, samples_[peak].position, samples_[peak].error, std::max<Int128>((after - before) / 2, 1), 0,
                     measure);
    }
  }

  // How far errors that count reach: the first and the last sample that has one.
  void keep_ends(const Line& line) {
    auto counts = [&](const Sample& sample) { return sample.error.relative >= quest_.threshold; };
    const auto first = std::find_if(samples_.begin(), samples_.end(), counts);
    if (first == samples_.end())
      return;
    const auto last = std::find_if(samples_.rbegin(), samples_.rend(), counts);
    scorer_.insist(line.at(first->position), 0, first->error.relative);
    scorer_.insist(line.at(last->position), 0, last->error.relative);
  }

  void scout() {
    if (!strata_.any())
      return;
    strata_.scout(spread_points(quest_.space, scouted_points, quest_.rng),
                  std::min(most_scouts, scorer_.affordable() / scouting_part));
  }

  // The line of the float is the space, or, with integers beside it, a stratum: first one of every group is looked at,
  // then some are searched as closely as a space, and what is left goes to others.
  void explore_one_float() {
    if (!strata_.any())
      return explore(Line::along(quest_.space, base_point(quest_.space, quest_.rng), floats_.front()), whole_effort);
    const uint64_t end = quest_.evaluator.evaluations() + evaluations_of_strata;
    const size_t looked_at = std::min(strata_.groups(), most_looked_at);
    const size_t strata = std::clamp(3 * strata_.groups(), fewest_strata, most_strata);
    for (size_t i = 0; i < strata && !scorer_.spent(); ++i) {
      const bool whole = i >= looked_at && i < looked_at + whole_strata;
      if (!whole && quest_.evaluator.evaluations() >= end)
        continue;
      exec::Input base = base_point(quest_.space, quest_.rng);
      hold_next(base);
      explore(Line::along(quest_.space, base, floats_.front()), whole ? whole_effort : stratum_effort);
    }
  }

  // In another stratum other sites are dangerous.
  void hold_next(exec::Input& base) {
    if (!strata_.any())
      return;
    strata_.hold_next(base);
    for (Record& record : records_)
      record.failures = 0;
  }

  void seek_flips() {
    if (floats_.empty() || !quest_.errors_wanted)
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
    auto enough = [&] { return scorer_.spent() || quest_.evaluator.evaluations() - begun >= most_evaluations; };
    while (!enough()) {
      exec::Input base = base_point(quest_.space, quest_.rng);
      hold_next(base);
      std::vector<size_t> order = free_;
      for (size_t i = 0; i < std::min(lines_of_a_base, order.size()) && !enough(); ++i) {
        std::swap(order[i], order[i + quest_.rng.below(order.size() - i)]);
        explore(Line::along(quest_.space, base, order[i]), line_effort);
      }
      if (!enough())
        adjoint_steps_.follow(base); // brackets of spots that no line has crossed
    }
    climb_best();
  }

  // The best so far, input by input.
  void climb_best() {
    constexpr Int128 first_step = Int128(1) << 40;
    for (Candidate& candidate : scorer_.best_so_far(climbed))
      for (size_t round = 0; round < climbing_rounds; ++round)
        for (size_t i = 0; i < std::min(lines_of_a_base, floats_.size()) && !scorer_.spent(); ++i) {
          const size_t dimension = floats_[floats_.size() <= lines_of_a_base ? i : quest_.rng.below(floats_.size())];
          const Line line = Line::along(quest_.space, candidate.input, dimension);
          const Int128 from = line.position(candidate.input[dimension]);
          const auto [error, position] = closing_.climb(line, from, {candidate.score, 0}, first_step, candidate.site);
          candidate.score = error.relative;
          line.at(position, candidate.input);
        }
  }

  struct Seen {
    size_t sample;
    double value;
  };
  static constexpr size_t none = ~size_t(1);
  struct Record { // of a site
    int successes = 0, failures = 0;
  };

  Quest& quest_;
  Scorer scorer_;
  DangerReader reader_;
  BracketCloser closing_;
  AdjointSteps adjoint_steps_;
  Strata strata_;
  double largest_ = 0;                // error, of the line explored last
  std::vector<size_t> free_, floats_; // dimensions that are not held
  std::vector<Sample> samples_;
  std::vector<Bracket> brackets_;
  std::vector<Seen> seen_;                     // by spot
  std::vector<Record> records_;                // by site
  std::vector<std::vector<Reading>> readings_; // by sample
  std::vector<long double> constants_;
  size_t shown_ = 0; // samples that go to the oracle whatever their error
};

} // namespace

std::vector<Candidate> search_bracket(Quest& quest) { return BracketSearch(quest).run(); }

} // namespace faultline::search
