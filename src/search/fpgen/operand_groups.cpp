#include "search/fpgen/operand_groups.h"

#include "ops/op.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>

namespace faultline::search {

using ops::Op;

namespace {

// Guesses.
constexpr size_t most_words = 4'000'000; // of memory for sets, 32 MB; a larger tape is not looked at
constexpr size_t most_pairs = 64;        // of inputs at one product: where more meet, they tell nothing

using Pair = std::pair<size_t, size_t>; // the lower first
using Meetings = std::map<Pair, double>;

std::vector<size_t> free_inputs(const Space& space) {
  std::vector<size_t> free;
  for (size_t i = 0; i < space.dimensions.size(); ++i)
    if (space.dimensions[i].floating && !space.dimensions[i].held())
      free.push_back(i);
  return free;
}

// For each record, the free inputs that have a part in it.
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

  // Those of one operand that are not those of the other.
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

// How many of these inputs have a part in a divisor.
size_t divide(const tape::Tape& tape, const Sources& sources, const std::vector<size_t>& inputs) {
  return size_t(std::ranges::count_if(inputs, [&](size_t input) {
    for (uint32_t record = 1; record < tape.size(); ++record)
      if (tape.site(record).op == Op::fdiv && sources.has(tape.record(record).b, input))
        return true;
    return false;
  }));
}

// Which array or scalar an input belongs to: the lowest input of it.
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

// Sides 0 and 1 so that those that meet most are apart: a maximum spanning tree, coloured. -1: meets none.
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

  // The lower root stays: the lowest input of a component is on side 0.
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
  std::vector<int> parity_; // against the parent
  std::vector<char> meets_;
};

} // namespace

OperandGroups operand_groups(const tape::Tape& tape, const Space& space) {
  const std::vector<size_t> free = free_inputs(space);
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

} // namespace faultline::search
