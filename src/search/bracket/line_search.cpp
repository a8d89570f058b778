#include "search/bracket/line_search.h"

#include "search/bracket/turns.h"

#include <algorithm>
#include <tuple>

namespace faultline::search {
namespace {

using numeric::Int128;

// Fruitless brackets of a site. Raised from 6 for `make exhaustive` (sine_by_reduction): the jumps of a range reduction
// are some, and fruitless.
constexpr int patience = 24;

// Guesses.
constexpr double promising = 1e-2;                   // error of a bracket that is not fruitless, in thresholds
constexpr double sampling_share = 0.5;               // of what is affordable: brackets and peaks get the rest
constexpr size_t stretches = 16;                     // of a line: one is passed over after a sample that did not end
constexpr size_t absolute_peaks = 2;                 // climbed by the absolute error
constexpr size_t one_in_shown = 24, most_shown = 96; // samples for an oracle that sees more than the tape

// `most` of them, from all over the line.
void thin(std::vector<Int128>& positions, size_t most) {
  if (positions.size() <= most)
    return;
  most = std::max<size_t>(most, 1);
  for (size_t i = 0; i < most; ++i)
    positions[i] = positions[(2 * i + 1) * positions.size() / (2 * most)];
  positions.resize(most);
}

} // namespace

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

// Runs the samples. Those after one that did not end are passed over: a few of them would end the search, with most
// of the line unseen.
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
    // What the oracle sees need not show on the tape: then samples from everywhere go to it.
    if (quest_.oracle_sees_more && scored.usable && i % one_in_shown == one_in_shown / 2 && ++shown_ <= most_shown)
      scorer_.insist(input, 0, least_score);
  }
  find_brackets();
}

// Where the readings of neighbouring samples differ.
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

// A site whose brackets are fruitless again and again is not dangerous, whatever its danger function says.
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

// The samples with a larger error than their neighbours, largest first.
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

// How far errors that count reach: the first and the last sample that has one.
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
