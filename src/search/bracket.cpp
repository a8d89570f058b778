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
// Everything is scored by the residues (tape/residue.h), which cost a fraction of a run; the oracle sees the best.
#include "search/closing.h"
#include "search/sampling.h"
#include "search/strategy.h"
#include "search/turns.h"
#include "tape/adjoint.h"

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
constexpr size_t newton_spots = 6, newton_steps = 5; // a base point; a spot
constexpr size_t climbed = 8, climbing_rounds = 2;   // of the best candidates, along every input
constexpr size_t integer_choices = 3;                // beside one float

class BracketSearch {
public:
  explicit BracketSearch(Quest& quest)
      : quest_(quest), scorer_(quest, "bracket"), reader_(quest.evaluator.session().sites()),
        closing_(scorer_, reader_, quest.threshold), seen_(reader_.spots()),
        records_(quest.evaluator.session().sites().sites.size()),
        constants_(telling_constants(quest.evaluator.session().sites())) {
    for (size_t i = 0; i < quest.space.dimensions.size(); ++i)
      if (!quest.space.dimensions[i].held()) {
        free_.push_back(i);
        if (quest.space.dimensions[i].floating)
          floats_.push_back(i);
      }
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
      scorer_.score(base_point());
    if (floats_.size() == 1)
      explore_one_float();
    else
      explore_lines();
    return scorer_.best(most_candidates, most_of_a_site);
  }

private:
  void explore(const Line& line, const Effort& effort) {
    sample(line, effort.density);
    close_brackets(line, effort);
    climb_peaks(line, effort.peaks, Closing::Measure::relative);
    if (floats_.size() == 1) {
      climb_peaks(line, absolute_peaks, Closing::Measure::absolute);
      keep_ends(line);
    }
    if (!quest_.claims.empty())
      climb_peaks(line, effort.peaks, Closing::Measure::claim);
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
      const bool success = closing_.close(line, bracket) >= quest_.threshold * promising;
      ++(success ? record.successes : record.failures);
      ++closed;
    }
  }

  // The samples with a larger error than their neighbours, largest first.
  void climb_peaks(const Line& line, size_t most, Closing::Measure measure) {
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

  // Integers beside the one float get a few values; the line of the float is the space, otherwise.
  void explore_one_float() {
    const size_t choices = free_.size() > 1 ? integer_choices : 1;
    for (size_t i = 0; i < choices && !scorer_.spent(); ++i)
      explore(Line::along(quest_.space, base_point(), floats_.front()), whole_effort);
  }

  void explore_lines() {
    const uint64_t begun = quest_.evaluator.evaluations();
    auto enough = [&] { return scorer_.spent() || quest_.evaluator.evaluations() - begun >= most_evaluations; };
    while (!enough()) {
      const exec::Input base = base_point();
      std::vector<size_t> order = free_;
      for (size_t i = 0; i < std::min(lines_of_a_base, order.size()) && !enough(); ++i) {
        std::swap(order[i], order[i + quest_.rng.below(order.size() - i)]);
        explore(Line::along(quest_.space, base, order[i]), line_effort);
      }
      if (!enough())
        follow_adjoints(base); // brackets of spots that no line has crossed
    }
    climb_best();
  }

  // Of the size that people use, alike, or from anywhere.
  exec::Input base_point() {
    const uint64_t kind = quest_.rng.below(8);
    if (kind >= 6)
      return quest_.space.sample_alike(quest_.rng);
    if (kind == 5)
      return quest_.space.sample_floats(quest_.rng);
    exec::Input input = quest_.space.sample_reals(quest_.rng);
    if (kind == 4)
      return input;
    constexpr int smallest = -4, binades = 12;
    for (size_t i : floats_) {
      const long double size =
          std::ldexp(1 + (long double)quest_.rng.uniform(), smallest + int(quest_.rng.below(binades)));
      input[i] = quest_.space.dimensions[i].nearest(quest_.rng.coin() ? size : -size);
    }
    return input;
  }

  // Newton steps from a point towards the zeros of some of its danger functions.
  void follow_adjoints(const exec::Input& base) {
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
      follow_adjoint(base, chosen[i].spot);
    }
  }

  void follow_adjoint(exec::Input point, Spot spot) {
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
      // To the zero by a straight line, and as far again: the sign changes on the way if the line is nearly straight.
      exec::Input beyond = point;
      for (size_t d : floats_)
        beyond[d] = quest_.space.dimensions[d].nearest(point[d] + 2 * step[d]);
      if (scorer_.spent())
        return;
      tape = scorer_.run(beyond);
      if (const double there = scorer_.usable() ? reader_.read(tape, spot) : std::nan("");
          !std::isnan(there) && changes(Signal::crossing, here, there)) {
        const Line line = Line::between(quest_.space, point, beyond);
        closing_.close(line, {spot, 0, line.length(), here, there});
        return;
      }
      for (size_t d : floats_)
        point[d] = quest_.space.dimensions[d].nearest(point[d] + step[d]);
    }
  }

  // The least change, relative to the inputs, that makes a value with these derivatives zero.
  exec::Input newton_step(const exec::Input& point, double value, const std::vector<double>& slopes) const {
    exec::Input step(point.size());
    long double norm = 0;
    for (size_t d : floats_)
      norm += std::pow((long double)slopes[d + 1] * weight(point[d]), 2.0L);
    if (norm > 0)
      for (size_t d : floats_)
        step[d] = -value * slopes[d + 1] * weight(point[d]) * weight(point[d]) / norm;
    return step;
  }
  static long double weight(long double x) { return x == 0 ? 1 : std::fabs(x); }

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
  Closing closing_;
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
