#include "search/bracket/line_search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace faultline::search {

using numeric::Int128;

namespace {

// Guesses.
constexpr int smallest = -4;                            // exponent of ordinary values
constexpr int base_binades = 12, ordinary_binades = 24; // up to 2^8, and 2^20 where steps are many
constexpr uint64_t base_kinds = 8; // two of these are alike, one any floats, one any reals, four of ordinary size
constexpr uint64_t any_floats_one_in = 8;
constexpr Value near_an_end = 0.25; // of the range

// A value of either sign; each binade is equally likely.
Value any_of_binades(int binades, numeric::Rng& rng) {
  const Value fraction = 1 + (Value)rng.uniform();
  const Value size = std::ldexp(fraction, smallest + int(rng.below(uint64_t(binades))));
  return rng.coin() ? size : -size;
}

// Guesses. Distances are in floats, of the 2^52 in a binade of binary64.
constexpr Int128 near = Int128(1) << 20;     // within this distance the error must grow visibly
constexpr int unseen_steps = 2;              // steps without visible growth
constexpr Int128 straight = Int128(1) << 48; // within this distance a danger function is nearly linear
constexpr double hopeless = 1e-2;            // error, in thresholds
constexpr size_t kept = 3;                   // floats per scan
constexpr int most_climbing_steps = 160;
constexpr int first_shrink = 2, shrink = 8; // for climbing steps that fail, after a success and after a failure
constexpr Surroundings of_jump{0, 0}, of_decision{2, 4}, of_crossing{1, 1}, of_bad_crossing{4, 4}, of_peak{2, 2};

// The zero of a straight line through both readings, kept inside the bracket.
Int128 secant(const Bracket& bracket) {
  const Int128 width = bracket.high - bracket.low;
  const double share = std::fabs(bracket.at_low) / (std::fabs(bracket.at_low) + std::fabs(bracket.at_high));
  const Int128 step = std::isfinite(share) ? Int128((Value)width * share) : width / 2;
  return bracket.low + std::clamp<Int128>(step, 1, width - 1);
}

// Fruitless brackets per site. Raised from 6 for `make exhaustive` (sine_by_reduction): a range reduction has several
// jumps, which are fruitless.
constexpr int patience = 24;

// Guesses.
constexpr double promising = 1e-2;                   // error of a promising bracket, in thresholds
constexpr double sampling_share = 0.5;               // of the affordable effort: brackets and peaks get the rest
constexpr size_t stretches = 16;                     // per line: a stretch is skipped after a sample that did not end
constexpr size_t absolute_peaks = 2;                 // peaks climbed by the absolute error
constexpr size_t one_in_shown = 24, most_shown = 96; // samples for an oracle that sees more than the tape

// Thins the positions to `most`, spread over the line.
void thin(std::vector<Int128>& positions, size_t most) {
  if (positions.size() <= most)
    return;
  most = std::max<size_t>(most, 1);
  for (size_t i = 0; i < most; ++i)
    positions[i] = positions[(2 * i + 1) * positions.size() / (2 * most)];
  positions.resize(most);
}

// A third for decisions, a sixth for jumps, at least one: guesses.
size_t most_of(Signal signal, size_t of_spot) {
  switch (signal) {
  case Signal::crossing:
    return of_spot;
  case Signal::decision:
    return (of_spot + 2) / 3;
  default:
    return (of_spot + 5) / 6;
  }
}

// Takes the narrowest and any in turn.
std::vector<const Bracket*> mixed(std::vector<const Bracket*> narrow, size_t most, numeric::Rng& rng) {
  std::vector<const Bracket*> any = narrow, chosen;
  std::sort(narrow.begin(), narrow.end(), [](const Bracket* a, const Bracket* b) {
    return std::tuple(a->width, a->low) < std::tuple(b->width, b->low);
  });
  for (size_t i = any.size(); i > 1; --i)
    std::swap(any[i - 1], any[rng.below(i)]);
  for (size_t i = 0; i < 2 * narrow.size() && chosen.size() < most; ++i) {
    const Bracket* next = i % 2 == 0 ? narrow[i / 2] : any[i / 2];
    if (std::find(chosen.begin(), chosen.end(), next) == chosen.end())
      chosen.push_back(next);
  }
  return chosen;
}

} // namespace

exec::Input base_point(const Space& space, numeric::Rng& rng) {
  const uint64_t kind = rng.below(base_kinds);
  if (kind >= 6)
    return space.sample_alike(rng);
  if (kind == 5)
    return space.sample_floats(rng);
  exec::Input input = space.sample_reals(rng);
  if (kind == 4)
    return input;
  for (size_t i : space.free_floats())
    if (const Value value = any_of_binades(base_binades, rng); !space.dimensions[i].given() || rng.coin())
      input[i] = space.dimensions[i].nearest(value);
  return input;
}

exec::Input ordinary_point(const Space& space, numeric::Rng& rng) {
  if (rng.below(any_floats_one_in) == 0)
    return space.sample_floats(rng);
  exec::Input point = space.sample_reals(rng);
  for (size_t i : space.free_floats()) {
    const Dimension& dimension = space.dimensions[i];
    if (dimension.given())
      continue;
    if (const Value value = any_of_binades(ordinary_binades, rng); value >= dimension.low && value <= dimension.high)
      point[i] = dimension.nearest(value);
  }
  return point;
}

std::vector<exec::Input> spread_points(const Space& space, size_t count, numeric::Rng& rng) {
  const std::vector<size_t> floats = space.free_floats();
  std::vector<exec::Input> points;
  for (size_t number = 0; number < count; ++number) {
    points.push_back(base_point(space, rng));
    for (size_t i : floats) {
      const Dimension& dimension = space.dimensions[i];
      if (number > 1 || !dimension.given())
        continue;
      const bool upper = floats.size() > 1 ? rng.coin() : number == 1;
      const Value step = near_an_end * (Value)rng.uniform() * (dimension.high - dimension.low);
      points.back()[i] = dimension.nearest(upper ? dimension.high - step : dimension.low + step);
    }
  }
  return points;
}

// Bisects. On the last stretch two of three steps are secants. After a secant the reading at the end that stays is
// halved, so that the next secant is nearer to it and both ends move.
bool BracketCloser::narrow(const Line& line, Bracket& bracket) {
  const Signal signal = reader_.signal(bracket.spot);
  bool watched = signal != Signal::crossing;
  int tries = 0;
  for (int step = 0; bracket.high - bracket.low > 1; ++step) {
    if (scorer_.spent())
      return false;
    const Int128 width = bracket.high - bracket.low;
    const bool by_secant = signal != Signal::jump && width < straight && step % 3 != 2;
    const Int128 middle = by_secant ? secant(bracket) : bracket.low + width / 2;
    line.at(middle, input_);
    const tape::Tape tape = scorer_.run(input_);
    if (!scorer_.usable())
      return false;
    const double here = reader_.read(tape, bracket.spot);
    if (std::isnan(here))
      return false;
    if (!watched && width <= near) {
      // An error that grows towards the centre like 1 / distance is this many times larger there.
      watched = scorer_.error(tape).relative * double(width) >= hopeless * threshold_;
      if (!watched && ++tries == unseen_steps)
        return false;
    }
    if (changes(signal, bracket.at_low, here)) {
      bracket.high = middle;
      bracket.at_high = here;
      if (by_secant)
        bracket.at_low /= 2;
    } else {
      bracket.low = middle;
      bracket.at_low = here;
      if (by_secant)
        bracket.at_high /= 2;
    }
  }
  return true;
}

double BracketCloser::scan(const Line& line, Int128 centre, Surroundings around, uint32_t site) {
  std::vector<std::pair<double, Int128>> best;
  auto look = [&](Int128 position) {
    if (position < 0 || position > line.length() || scorer_.spent())
      return;
    line.at(position, input_);
    best.emplace_back(scorer_.score(input_).error.relative, position);
  };
  for (int i = -around.close; i <= around.close + 1; ++i)
    look(centre + i);
  for (int i = 0; i < around.far; ++i) {
    look(centre - (Int128(around.close) << (i + 1)));
    look(centre + 1 + (Int128(around.close) << (i + 1)));
  }
  std::sort(best.begin(), best.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  for (size_t i = 0; i < std::min(kept, best.size()); ++i)
    scorer_.keep(line.at(best[i].second), site, best[i].first);
  return best.empty() ? 0 : best.front().first;
}

double BracketCloser::close(const Line& line, Bracket bracket) {
  if (!narrow(line, bracket))
    return 0;
  switch (reader_.signal(bracket.spot)) {
  case Signal::jump:
    return scan(line, bracket.low, of_jump, bracket.spot.site());
  case Signal::decision:
    return scan(line, bracket.low, of_decision, bracket.spot.site());
  default:
    break;
  }
  const double first = scan(line, bracket.low, of_crossing, bracket.spot.site());
  if (first < hopeless * threshold_)
    return first;
  return std::max(first, scan(line, bracket.low, of_bad_crossing, bracket.spot.site()));
}

double BracketCloser::height(const tape::EstimatedError& error, Measure measure) const {
  switch (measure) {
  case Measure::relative:
    return error.relative;
  case Measure::absolute:
    return error.relative >= threshold_ ? error.absolute : 0;
  default:
    return error.over_claim;
  }
}

BracketCloser::Top BracketCloser::climb(const Line& line, Int128 from, tape::EstimatedError error, Int128 step,
                                        uint32_t site, Measure measure) {
  int failures = 0;
  for (int steps = 0; step >= 1 && steps < most_climbing_steps && !scorer_.spent(); ++steps) {
    bool moved = false;
    for (const Int128 to : {from + step, from - step}) {
      if (to < 0 || to > line.length() || scorer_.spent())
        continue;
      line.at(to, input_);
      if (const tape::EstimatedError there = scorer_.score(input_).error;
          height(there, measure) > height(error, measure)) {
        error = there;
        from = to;
        moved = true;
        break;
      }
    }
    if (moved)
      step = std::exchange(failures, 0) == 0 ? std::min(step * 2, line.length()) : step;
    else
      step /= ++failures > 1 ? shrink : first_shrink;
  }
  if (measure == Measure::relative) {
    scorer_.keep(line.at(from), site, error.relative);
    scan(line, from, of_peak, site); // the very top may be a pole, where no operation is the cause
  }
  if (measure == Measure::absolute)
    scorer_.insist(line.at(from), site, error.relative);
  return {error, from};
}

std::vector<Bracket> in_turns(const std::vector<Bracket>& brackets, const DangerReader& reader, size_t of_spot,
                              numeric::Rng& rng) {
  std::map<uint32_t, std::vector<const Bracket*>> spots;
  for (const Bracket& bracket : brackets)
    spots[bracket.spot.index].push_back(&bracket);
  using Turn = std::tuple<size_t, Signal, uint32_t, const Bracket*>; // round, signal, spot
  std::vector<Turn> turns;
  for (auto& [spot, all] : spots) {
    const Signal signal = reader.signal(Spot{spot});
    size_t round = 0;
    for (const Bracket* bracket : mixed(std::move(all), most_of(signal, of_spot), rng))
      turns.emplace_back(round++, signal, spot, bracket);
  }
  std::sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
    return std::tuple(std::get<0>(a), std::get<1>(a), std::get<2>(a)) <
           std::tuple(std::get<0>(b), std::get<1>(b), std::get<2>(b));
  });
  std::vector<Bracket> order;
  for (const Turn& turn : turns)
    order.push_back(*std::get<3>(turn));
  return order;
}

LineSearch::LineSearch(Quest& quest, Scorer& scorer, DangerReader& reader, BracketCloser& closer)
    : quest_(quest), scorer_(scorer), reader_(reader), closer_(closer), last_readings_(reader.spots()),
      histories_(quest.evaluator.session().sites().sites.size()),
      constants_(telling_constants(quest.evaluator.session().sites())) {}

double LineSearch::explore(const Line& line, const LineEffort& effort, bool only_float) {
  largest_ = 0;
  sample(line, effort.density);
  close_brackets(line, effort);
  climb_peaks(line, effort.peaks, BracketCloser::Measure::relative);
  if (only_float) {
    climb_peaks(line, absolute_peaks, BracketCloser::Measure::absolute);
    keep_ends(line);
  }
  if (!quest_.claims.empty())
    climb_peaks(line, effort.peaks, BracketCloser::Measure::claim);
  return largest_;
}

void LineSearch::forget_failures() {
  for (SiteHistory& history : histories_)
    history.failures = 0;
}

// Runs the samples. Samples after one that did not end are skipped: a few of them would end the search with most of the
// line unseen.
void LineSearch::sample(const Line& line, const Density& density) {
  std::vector<Int128> positions = sample_positions(line, density, constants_, quest_.rng);
  thin(positions, size_t(double(scorer_.affordable()) * sampling_share));
  samples_.assign(positions.size(), {});
  if (readings_.size() < positions.size())
    readings_.resize(positions.size());
  exec::Input input;
  const size_t stretch = positions.size() / stretches + 1;
  for (size_t i = 0; i < positions.size() && !scorer_.spent(); i += quest_.evaluator.ended() ? 1 : stretch) {
    line.at(positions[i], input);
    const Scorer::Scored scored = scorer_.score(input);
    samples_[i] = {positions[i], scored.error, input[line.dimension()], scored.usable};
    largest_ = std::max(largest_, scored.error.relative);
    if (scored.usable)
      reader_.read(scored.tape, readings_[i]);
    // The oracle may see what the tape does not show: then samples from everywhere go to it.
    if (quest_.oracle_sees_more && scored.usable && i % one_in_shown == one_in_shown / 2 && ++shown_ <= most_shown)
      scorer_.insist(input, 0, least_score);
  }
  find_brackets();
}

// Brackets the neighbouring samples whose readings differ.
void LineSearch::find_brackets() {
  brackets_.clear();
  for (LastReading& last : last_readings_)
    last.sample = no_sample;
  for (size_t i = 0; i < samples_.size(); ++i) {
    if (!samples_[i].usable)
      continue;
    for (const Reading& reading : readings_[i]) {
      LastReading& last = last_readings_[reading.spot.index];
      if (last.sample + 1 == i && changes(reader_.signal(reading.spot), last.value, reading.value))
        brackets_.push_back({reading.spot, samples_[i - 1].position, samples_[i].position, last.value, reading.value,
                             samples_[i].value - samples_[i - 1].value});
      last = {i, reading.value};
    }
  }
}

// Closes the brackets. A site with only fruitless brackets is not dangerous, whatever its danger function shows.
void LineSearch::close_brackets(const Line& line, const LineEffort& effort) {
  size_t closed = 0;
  for (const Bracket& bracket : in_turns(brackets_, reader_, effort.brackets_of_spot, quest_.rng)) {
    if (closed == effort.brackets || scorer_.spent())
      return;
    SiteHistory& history = histories_[bracket.spot.site()];
    if (history.failures >= patience && history.successes == 0)
      continue;
    const double error = closer_.close(line, bracket);
    largest_ = std::max(largest_, error);
    const bool success = error >= quest_.threshold * promising;
    ++(success ? history.successes : history.failures);
    ++closed;
  }
}

// Climbs from samples with a larger error than their neighbours, largest first.
void LineSearch::climb_peaks(const Line& line, size_t most, BracketCloser::Measure measure) {
  auto height = [&](size_t i) { return closer_.height(samples_[i].error, measure); };
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
    closer_.climb(line, samples_[peak].position, samples_[peak].error, std::max<Int128>((after - before) / 2, 1), 0,
                  measure);
  }
}

// Keeps the first and the last sample whose error counts, which show the extent of the errors.
void LineSearch::keep_ends(const Line& line) {
  auto counts = [&](const Sample& sample) { return sample.error.relative >= quest_.threshold; };
  const auto first = std::find_if(samples_.begin(), samples_.end(), counts);
  if (first == samples_.end())
    return;
  const auto last = std::find_if(samples_.rbegin(), samples_.rend(), counts);
  scorer_.insist(line.at(first->position), 0, first->error.relative);
  scorer_.insist(line.at(last->position), 0, last->error.relative);
}

} // namespace faultline::search
