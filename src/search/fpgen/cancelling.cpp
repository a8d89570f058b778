#include "search/fpgen/cancelling.h"

#include "ops/op.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>

namespace faultline::search {

using ops::Op;

namespace {

// Guesses.
constexpr size_t most_words = 4'000'000; // of memory for sets, 32 MB; larger tapes are skipped
constexpr size_t most_pairs = 64;        // of inputs at one product: more pairs carry no information

using Pair = std::pair<size_t, size_t>; // the lower first
using Meetings = std::map<Pair, double>;

// The free inputs that contribute to each record.
class Sources {
public:
  Sources(const tape::Tape& tape, const std::vector<size_t>& free)
      : words_((tape.inputs() + 63) / 64), sets_(tape.size() * words_) {
    for (const size_t input : free)
      sets_[(input + 1) * words_ + input / 64] |= uint64_t(1) << (input % 64);
    for (uint32_t record = uint32_t(tape.inputs()) + 1; record < tape.size(); ++record)
      for (int i = 0; i < ops::arity(tape.site(record).op); ++i)
        if (const uint32_t operand = tape.operand(record, i); operand != 0 && !runtime::is_constant(operand))
          for (size_t word = 0; word < words_; ++word)
            sets_[record * words_ + word] |= sets_[operand * words_ + word];
  }

  bool has(uint32_t operand, size_t input) const {
    return operand != 0 && !runtime::is_constant(operand) &&
           (sets_[operand * words_ + input / 64] >> (input % 64) & 1) != 0;
  }

  // The sources of one operand that are not sources of the other.
  std::vector<size_t> alone(uint32_t operand, uint32_t other) const {
    std::vector<size_t> inputs;
    if (operand == 0 || runtime::is_constant(operand))
      return inputs;
    for (size_t word = 0; word < words_; ++word) {
      const bool has_other = other != 0 && !runtime::is_constant(other);
      uint64_t set = sets_[operand * words_ + word] & ~(has_other ? sets_[other * words_ + word] : 0);
      for (; set != 0; set &= set - 1)
        inputs.push_back(word * 64 + size_t(std::countr_zero(set)));
    }
    return inputs;
  }

private:
  size_t words_;
  std::vector<uint64_t> sets_;
};

bool is_too_large(const tape::Tape& tape) { return tape.size() * ((tape.inputs() + 63) / 64) > most_words; }

Meetings meetings(const tape::Tape& tape, const Sources& sources) {
  Meetings met;
  for (uint32_t record = 1; record < tape.size(); ++record) {
    const Op op = tape.site(record).op;
    if (op != Op::fmul && op != Op::fdiv && op != Op::fma)
      continue;
    const tape::Record& product = tape.record(record);
    const auto left = sources.alone(product.a, product.b), right = sources.alone(product.b, product.a);
    if (left.size() * right.size() > most_pairs)
      continue;
    for (const size_t a : left)
      for (const size_t b : right)
        met[std::minmax(a, b)] += 1 / double(left.size() * right.size());
  }
  return met;
}

// The number of these inputs that contribute to a divisor.
size_t divide(const tape::Tape& tape, const Sources& sources, const std::vector<size_t>& inputs) {
  return size_t(std::ranges::count_if(inputs, [&](size_t input) {
    for (uint32_t record = 1; record < tape.size(); ++record)
      if (tape.site(record).op == Op::fdiv && sources.has(tape.record(record).b, input))
        return true;
    return false;
  }));
}

// The array or scalar of each input, as the lowest input of it.
std::vector<size_t> parameters(const Space& space) {
  std::map<std::string, size_t> known;
  std::vector<size_t> first;
  for (size_t i = 0; i < space.dimensions.size(); ++i) {
    const std::string& name = space.dimensions[i].name;
    first.push_back(known.try_emplace(name.substr(0, name.find('[')), i).first->second);
  }
  return first;
}

Meetings between(const Meetings& met, const std::vector<size_t>& owners) {
  Meetings contracted;
  for (const auto& [pair, weight] : met)
    if (owners[pair.first] != owners[pair.second])
      contracted[std::minmax(owners[pair.first], owners[pair.second])] += weight;
  return contracted;
}

// Assigns sides 0 and 1 so that the most frequent pairs are apart: a coloured maximum spanning tree. -1: in no pair.
class Sides {
public:
  Sides(const Meetings& met, size_t size) : parent_(size), parity_(size), meets_(size) {
    std::iota(parent_.begin(), parent_.end(), size_t(0));
    std::vector<std::pair<double, Pair>> heaviest;
    for (const auto& [pair, weight] : met)
      heaviest.emplace_back(-weight, pair);
    std::ranges::sort(heaviest);
    for (const auto& [weight, pair] : heaviest)
      part(pair.first, pair.second);
  }

  int of(size_t node) const {
    if (!meets_[node])
      return -1;
    return root(node).second;
  }

private:
  std::pair<size_t, int> root(size_t node) const {
    int side = 0;
    for (; parent_[node] != node; node = parent_[node])
      side ^= parity_[node];
    return {node, side};
  }

  // The lower root remains: the lowest input of a component is on side 0.
  void part(size_t a, size_t b) {
    meets_[a] = meets_[b] = true;
    auto [low, low_side] = root(a);
    auto [high, high_side] = root(b);
    if (low == high)
      return;
    if (high < low)
      std::swap(low, high);
    parent_[high] = low;
    parity_[high] = low_side ^ high_side ^ 1;
  }

  std::vector<size_t> parent_;
  std::vector<int> parity_; // relative to the parent
  std::vector<char> meets_;
};

} // namespace

OperandGroups operand_groups(const tape::Tape& tape, const Space& space) {
  const std::vector<size_t> free = space.free_floats();
  if (free.empty() || is_too_large(tape))
    return {free, {}};
  const Sources sources(tape, free);
  const Meetings met = meetings(tape, sources);
  std::vector<size_t> owners = parameters(space);
  Meetings contracted = between(met, owners);
  if (contracted.empty()) {
    std::iota(owners.begin(), owners.end(), size_t(0));
    contracted = met;
  }
  const Sides sides(contracted, space.dimensions.size());
  std::vector<size_t> groups[3];
  for (const size_t input : free)
    groups[sides.of(owners[input]) + 1].push_back(input);
  std::vector<size_t>&idle = groups[0], &one = groups[1], &other = groups[2];
  std::vector<size_t>& small = other.size() < one.size() ? other : one;
  small.insert(small.end(), idle.begin(), idle.end());
  std::ranges::sort(small);
  if (one.empty() || other.empty())
    return {one.empty() ? other : one, {}};
  const auto order = [&](const std::vector<size_t>& group) {
    return std::tuple(group.size(), divide(tape, sources, group), group.front());
  };
  return order(one) < order(other) ? OperandGroups{one, other} : OperandGroups{other, one};
}

namespace {

using numeric::Int128;

enum class Rule : uint8_t { real, any_float, power_of_two, small_integer, zero, the_same, opposite, scaled, end };
constexpr auto all_rules = uint64_t(Rule::end) + 1;

// Guesses.
constexpr size_t most_rules = 4;           // for one array
constexpr uint64_t positive_one_in = 3;    // arrays has one sign
constexpr uint64_t same_manner_one_in = 4; // arrays uses the manner of the previous one
constexpr int largest_small_integer = 4;
constexpr uint64_t binades_apart = 60; // of scaled values: beyond the 53 bits of a double

Value draw(Rule rule, const Dimension& dimension, Value theme, numeric::Rng& rng) {
  switch (rule) {
  case Rule::real: {
    const auto share = (Value)rng.uniform();
    return dimension.low * (1 - share) + dimension.high * share;
  }
  case Rule::any_float:
    return dimension.draw(rng);
  case Rule::power_of_two: {
    int exponent = 0;
    std::frexp(draw(Rule::any_float, dimension, theme, rng), &exponent);
    return std::ldexp(rng.coin() ? 1.0L : -1.0L, exponent);
  }
  case Rule::small_integer:
    return (Value)rng.below(2 * largest_small_integer + 1) - largest_small_integer;
  case Rule::zero:
    return 0;
  case Rule::the_same:
    return theme;
  case Rule::opposite:
    return rng.coin() ? theme : -theme;
  case Rule::scaled:
    return std::ldexp(rng.coin() ? theme : -theme, -int(rng.below(binades_apart)));
  case Rule::end:
    break;
  }
  return rng.coin() ? dimension.low : dimension.high;
}

// How the values of one array are drawn: by few rules, since a single rule is likelier than a mixture of all. Some
// arrays have one sign: weights, variances and lengths are positive.
struct Manner {
  Rule rules[most_rules];
  uint64_t mixed;
  Value theme; // the value that is repeated
  bool positive;

  Manner(const Dimension& dimension, numeric::Rng& rng) {
    for (Rule& rule : rules)
      rule = Rule(rng.below(all_rules));
    mixed = 1 + rng.below(most_rules);
    theme = dimension.nearest(draw(rng.coin() ? Rule::real : Rule::any_float, dimension, 0, rng));
    positive = rng.below(positive_one_in) == 0;
  }
};

std::string_view array_of(const Dimension& dimension) {
  return std::string_view(dimension.name).substr(0, dimension.name.find('['));
}

} // namespace

exec::Input sample_structured(const Space& space, numeric::Rng& rng) {
  exec::Input input(space.dimensions.size());
  std::optional<Manner> manner;
  for (size_t i = 0; i < input.size(); ++i) {
    const Dimension& dimension = space.dimensions[i];
    if (dimension.held() || !dimension.floating) {
      input[i] = dimension.draw(rng);
    } else {
      if (!manner || (array_of(dimension) != array_of(space.dimensions[i - 1]) && rng.below(same_manner_one_in) != 0))
        manner.emplace(dimension, rng);
      const Value value = draw(manner->rules[rng.below(manner->mixed)], dimension, manner->theme, rng);
      input[i] = dimension.nearest(manner->positive ? std::fabs(value) : value);
    }
  }
  return input;
}

// Guesses; `faultline bench fpgen` shows what they find.
constexpr int most_steps = 24, most_failures = 4;
constexpr Value worth_it = 0.25L;   // the largest part of the distance that a step may leave
constexpr Value as_good = 0x1p+10L; // or this many times as much as the best step
constexpr Value as_near = 0x1p-20L; // or this part of the distance

Cancelling::Cancelling(Quest& quest, TrueErrors& errors)
    : quest_(quest), errors_(errors), left_(exact_precision), free_(quest.space.free_floats()) {}

void Cancelling::rest(exec::Input& input, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (const size_t d = free_[quest_.rng.below(free_.size())]; quest_.space.dimensions[d].nearest(0) == 0)
      input[d] = 0;
}

Value Cancelling::distance(size_t output, double target) {
  mpfr_srcptr exact = errors_.exact(output);
  if (!exact || !mpfr_number_p(exact))
    return NAN;
  mpfr_sub_d(left_.raw(), exact, target, MPFR_RNDN);
  return left_.to_long_double();
}

// The inputs that can remove most of the distance.
std::vector<Cancelling::NewtonStep> Cancelling::steps(const exec::Input& input, size_t output, Value distance) {
  const std::vector<double> slopes = errors_.slopes(output);
  std::vector<NewtonStep> all;
  for (size_t d : free_) {
    const Value slope = slopes[d];
    if (slope == 0 || !std::isfinite(slope))
      continue;
    const Value value = quest_.space.dimensions[d].nearest(input[d] - distance / slope);
    const Value left = std::fabs(distance + slope * (value - input[d]));
    if (value != input[d] && left < worth_it * std::fabs(distance))
      all.push_back({d, value, left});
  }
  if (all.empty())
    return all;
  const Value best = std::min_element(all.begin(), all.end(), [](const NewtonStep& a, const NewtonStep& b) {
                       return a.left < b.left;
                     })->left;
  std::erase_if(
      all, [&](const NewtonStep& step) { return step.left > std::max(best * as_good, std::fabs(distance) * as_near); });
  return all;
}

TrueError Cancelling::solve(exec::Input& input, size_t output, double target, size_t resting) {
  if (!free_.empty())
    rest(input, resting);
  TrueError error = errors_.measure(input);
  if (!error.usable || error.flipped)
    return error;
  Value apart = distance(output, target);
  std::vector<NewtonStep> open =
      apart != 0 && !std::isnan(apart) ? steps(input, output, apart) : std::vector<NewtonStep>();
  int failures = 0;
  for (int step = 0; step < most_steps && !open.empty() && !quest_.evaluator.spent(); ++step) {
    const size_t pick = quest_.rng.below(open.size());
    const NewtonStep chosen = open[pick];
    open.erase(open.begin() + ptrdiff_t(pick));
    exec::Input next = input;
    next[chosen.dimension] = chosen.value;
    const TrueError after = errors_.measure(next);
    const Value now = after.usable && !after.flipped ? distance(output, target) : NAN;
    if (!(std::fabs(now) < std::fabs(apart))) {
      if (++failures == most_failures)
        break;
      continue;
    }
    input = std::move(next);
    error = after;
    apart = now;
    if (apart == 0)
      break;
    open = steps(input, output, apart);
  }
  return error;
}

} // namespace faultline::search
