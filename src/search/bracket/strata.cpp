#include "search/bracket/strata.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace faultline::search {

using numeric::Int128;

namespace {

// Guesses.
constexpr int small = 16, beside_an_end = 4; // distinct integers: up to this size, and at each end
constexpr uint64_t manners = 4;              // of drawing several: equal, neighbours, and twice independent
constexpr size_t attempts = 2;               // per wanted stratum, as some repeat others
constexpr size_t best_every = 3;             // turns: a neighbour of the best so far

constexpr uint64_t fewest_points = 2; // per stratum, for a sign to change

// Powers of two that a 64-bit integer holds, beyond the small ones.
constexpr int first_exponent = 5, end_exponent = 63;

// Integers that code is likely to treat specially: small ones, the ends, powers of two.
std::vector<Value> telling_values(const Dimension& dimension) {
  if (!dimension.values.empty())
    return dimension.values;
  std::set<Value> values;
  auto add = [&](Value value) {
    if (value >= dimension.low && value <= dimension.high)
      values.insert(value);
  };
  for (int i = -small; i <= small; ++i)
    add(i);
  for (int i = 0; i < beside_an_end; ++i) {
    add(dimension.low + i);
    add(dimension.high - i);
  }
  for (int exponent = first_exponent; exponent < end_exponent; ++exponent)
    for (const int offset : {-1, 0, 1})
      for (const int sign : {1, -1})
        add(sign * (std::ldexp(1.0L, exponent) + offset));
  return {values.begin(), values.end()};
}

// A feature as a number: its kind, and its site or spot.
enum class FeatureKind : uint64_t { site, output, sign };
uint64_t feature(FeatureKind kind, uint64_t number) { return uint64_t(kind) << 60 | number; }

constexpr uint8_t negative = 1, positive = 2;

} // namespace

Strata::Strata(Quest& quest, Scorer& scorer, DangerReader& reader)
    : quest_(quest), scorer_(scorer), reader_(reader), rng_(quest.own_rng("strata")),
      reached_(quest.evaluator.session().sites().sites.size()) {
  bool floats = false;
  for (size_t i = 0; i < quest.space.dimensions.size(); ++i)
    if (const Dimension& dimension = quest.space.dimensions[i]; !dimension.held()) {
      floats = floats || dimension.floating;
      if (!dimension.floating)
        integers_.push_back(i);
    }
  if (!floats)
    integers_.clear();
}

// Draws integers. Equal or neighbouring values are as likely as independent ones: an order and a degree, for example.
Strata::Integers Strata::draw(const std::vector<std::vector<Value>>& telling) {
  Integers values;
  const uint64_t manner = rng_.below(manners);
  for (size_t i = 0; i < integers_.size(); ++i) {
    const Dimension& dimension = quest_.space.dimensions[integers_[i]];
    if (i > 0 && manner < 2)
      values.push_back(dimension.nearest(values[i - 1] + (manner == 0 ? 0 : (Value)rng_.below(3) - 1)));
    else if (rng_.coin() && !telling[i].empty())
      values.push_back(telling[i][rng_.below(telling[i].size())]);
    else
      values.push_back(dimension.draw(rng_));
  }
  return values;
}

// All choices if they are few; otherwise the special values first.
std::vector<Strata::Integers> Strata::choices(size_t most) {
  std::vector<std::vector<Value>> telling;
  Int128 all = 1;
  for (size_t i : integers_) {
    const Dimension& dimension = quest_.space.dimensions[i];
    telling.push_back(telling_values(dimension));
    all = std::min<Int128>(all, Int128(most) + 1) * std::min<Int128>(dimension.width() + 1, Int128(most) + 1);
  }
  std::vector<Integers> chosen;
  if (all <= Int128(most)) {
    for (Int128 n = 0; n < all; ++n) {
      Integers values;
      Int128 rest = n;
      for (size_t i : integers_) {
        const Dimension& dimension = quest_.space.dimensions[i];
        values.push_back(dimension.at(dimension.order(dimension.low) + rest % (dimension.width() + 1)));
        rest /= dimension.width() + 1;
      }
      chosen.push_back(std::move(values));
    }
    return chosen;
  }
  std::set<Integers> known;
  auto add = [&](Integers values) {
    if (chosen.size() < most && known.insert(values).second)
      chosen.push_back(std::move(values));
  };
  if (integers_.size() == 1)
    for (Value value : telling[0])
      add({value});
  for (size_t i = 0; i < attempts * most; ++i)
    add(draw(telling));
  return chosen;
}

void Strata::hold(const Integers& values, exec::Input& input) const {
  for (size_t i = 0; i < integers_.size(); ++i)
    input[integers_[i]] = values[i];
}

void Strata::note_sites(const tape::Tape& tape, Features& features) {
  ++runs_;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (const uint32_t site = tape.record(index).site; std::exchange(reached_[site], runs_) != runs_)
      features.push_back(feature(FeatureKind::site, site));
  for (size_t output : quest_.outputs)
    if (const uint32_t record = tape.outputs()[output].record; record != 0)
      features.push_back(feature(FeatureKind::output, output << 32 | tape.record(record).site));
}

void Strata::note_signs(const tape::Tape& tape, Features& features) {
  reader_.read(tape, readings_);
  for (const Reading& reading : readings_) {
    if (reader_.signal(reading.spot) == Signal::jump)
      continue;
    uint8_t& signs = signs_[reading.spot.index];
    signs |= std::signbit(reading.value) ? negative : positive;
    if (signs == (negative | positive))
      features.push_back(feature(FeatureKind::sign, reading.spot.index));
  }
}

// False if the run did not return.
bool Strata::run(const exec::Input& input, Stratum& stratum, Features& features) {
  const Scorer::Scored scored = scorer_.score(input);
  if (!scored.usable)
    return false;
  scorer_.keep(input, 0, scored.error.relative);
  stratum.error = std::max(stratum.error, scored.error.relative);
  note_sites(scored.tape, features);
  note_signs(scored.tape, features);
  return true;
}

void Strata::scout(const std::vector<exec::Input>& points, uint64_t most_evaluations) {
  const std::vector<Integers> chosen = choices(most_evaluations / fewest_points);
  const size_t points_per_choice =
      std::min<size_t>(most_evaluations / std::max<size_t>(chosen.size(), 1), points.size());
  std::vector<Features> seen;
  bool ended = true; // a few runs without end would end the search, so scouting ends with the first
  for (const Integers& values : chosen) {
    if (!ended)
      break;
    Stratum stratum{values};
    Features features;
    signs_.assign(reader_.spots(), 0);
    bool usable = false;
    for (size_t i = 0; i < points_per_choice && ended && !scorer_.spent(); ++i) {
      exec::Input input = points[i];
      hold(values, input);
      usable |= run(input, stratum, features);
      ended = quest_.evaluator.ended();
      std::ranges::sort(features);
      features.erase(std::ranges::unique(features).begin(), features.end());
    }
    if (!usable)
      continue;
    strata_.push_back(std::move(stratum));
    seen.push_back(std::move(features));
  }
  form_groups(seen);
}

// Groups the strata by feature. The group of all strata comes first, then the rarest.
void Strata::form_groups(const std::vector<Features>& seen) {
  std::map<uint64_t, std::vector<uint32_t>> members;
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < seen.size(); ++i) {
    all.push_back(i);
    for (uint64_t feature : seen[i])
      members[feature].push_back(i);
  }
  std::set<std::vector<uint32_t>> different;
  for (auto& [feature, its_members] : members)
    if (its_members.size() < all.size())
      different.insert(std::move(its_members));
  if (!all.empty())
    groups_.push_back({all});
  for (const std::vector<uint32_t>& its_members : different)
    groups_.push_back({its_members});
  if (!groups_.empty())
    std::sort(groups_.begin() + 1, groups_.end(), [](const Group& a, const Group& b) {
      return a.members.size() != b.members.size() ? a.members.size() < b.members.size() : a.members < b.members;
    });
}

uint32_t Strata::next_of(Group& group) {
  const std::vector<uint32_t>& members = group.members;
  switch (group.turns++) {
  case 0:
    return *std::ranges::max_element(members, {}, [&](uint32_t member) { return strata_[member].error; });
  case 1:
    return members.front();
  case 2:
    return members.back();
  default:
    return members[rng_.below(members.size())];
  }
}

Strata::Integers Strata::beside_best() {
  Integers values = best_;
  const size_t i = rng_.below(values.size());
  const Value steps[] = {values[i] + 1, values[i] - 1, values[i] * 2, std::trunc(values[i] / 2)};
  values[i] = quest_.space.dimensions[integers_[i]].nearest(steps[rng_.below(4)]);
  return values;
}

void Strata::hold_next(exec::Input& input) {
  if (groups_.empty())
    return;
  const bool all_had_a_turn = turn_ >= groups_.size();
  if (all_had_a_turn && !best_.empty() && ++since_best_ == best_every) {
    since_best_ = 0;
    held_ = beside_best();
  } else {
    held_ = strata_[next_of(groups_[turn_++ % groups_.size()])].values;
  }
  hold(held_, input);
}

void Strata::hold_any(exec::Input& input) {
  if (groups_.empty())
    return;
  const std::vector<uint32_t>& members = groups_[rng_.below(groups_.size())].members;
  hold(strata_[members[rng_.below(members.size())]].values, input);
}

void Strata::reward(double error) {
  if (held_.empty() || !(error > best_error_))
    return;
  best_error_ = error;
  best_ = held_;
}

} // namespace faultline::search
