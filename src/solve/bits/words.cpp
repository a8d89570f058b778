#include "solve/bits/words.h"

#include <algorithm>

namespace faultline::solve {
namespace {

Gate bit(const Word& word, size_t i) { return i < word.size() ? word[i] : Gate(false); }

} // namespace

Word word_of(Uint128 value, int width) {
  Word word(static_cast<size_t>(width));
  for (int i = 0; i < width && i < 128; ++i)
    word[i] = Gate(bool(value >> i & 1));
  return word;
}

Word inputs(Gates& gates, int width) {
  Word word(static_cast<size_t>(width));
  for (Gate& gate : word)
    gate = gates.input();
  return word;
}

bool is_constant(const Word& word) {
  return std::all_of(word.begin(), word.end(), [](Gate gate) { return gate.constant(); });
}

Uint128 value_of(const Word& constant) {
  Uint128 value = 0;
  for (size_t i = 0; i < constant.size(); ++i)
    if (constant[i].is_true())
      value |= Uint128{1} << i;
  return value;
}

int bit_count(Uint128 value) {
  int count = 0;
  for (; value != 0; value >>= 1)
    ++count;
  return count;
}

Word slice(const Word& word, int low, int width) {
  Word part(static_cast<size_t>(width));
  for (int i = 0; i < width; ++i)
    part[i] = bit(word, size_t(low + i));
  return part;
}

Word joined(const Word& low, const Word& high) {
  Word word = low;
  word.insert(word.end(), high.begin(), high.end());
  return word;
}

Word shifted_left(const Word& word, int count) { return joined(Word(size_t(count)), word); }

Word add(Gates& gates, const Word& a, const Word& b, Gate carry) {
  const size_t width = std::max(a.size(), b.size());
  Word sum(width + 1);
  for (size_t i = 0; i < width; ++i) {
    sum[i] = gates.parity(bit(a, i), bit(b, i), carry);
    carry = gates.majority(bit(a, i), bit(b, i), carry);
  }
  sum[width] = carry;
  return sum;
}

Word subtract(Gates& gates, const Word& a, const Word& b, int width) {
  Word negated = slice(b, 0, width);
  for (Gate& gate : negated)
    gate = !gate;
  return slice(add(gates, slice(a, 0, width), negated, true), 0, width);
}

Word increment(Gates& gates, const Word& a, Gate carry) { return add(gates, a, {}, carry); }

// The borrow of a - b.
Gate less(Gates& gates, const Word& a, const Word& b) {
  Gate borrow = false;
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    borrow = gates.majority(!bit(a, i), bit(b, i), borrow);
  return borrow;
}

Gate less_equal(Gates& gates, const Word& a, const Word& b) { return !less(gates, b, a); }

Gate equal(Gates& gates, const Word& a, const Word& b) {
  std::vector<Gate> bits;
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    bits.push_back(gates.equal(bit(a, i), bit(b, i)));
  return gates.all(std::move(bits));
}

Gate any(Gates& gates, const Word& a) { return gates.any(a); }

Word choose(Gates& gates, Gate condition, const Word& then, const Word& otherwise) {
  Word word(std::max(then.size(), otherwise.size()));
  for (size_t i = 0; i < word.size(); ++i)
    word[i] = gates.choose(condition, bit(then, i), bit(otherwise, i));
  return word;
}

Word masked(Gates& gates, const Word& a, Gate keep) {
  Word word = a;
  for (Gate& gate : word)
    gate = gates.both(gate, keep);
  return word;
}

Word shift_right(Gates& gates, const Word& a, const Word& count, Gate& sticky) {
  Word word = a;
  for (size_t stage = 0; stage < count.size(); ++stage) {
    // A stage that shifts everything out is the last that a shift can reach.
    const size_t distance = stage < 30 ? std::min(size_t{1} << stage, word.size()) : word.size();
    const Gate lost = gates.any(Word(word.begin(), word.begin() + std::ptrdiff_t(distance)));
    sticky = gates.either(sticky, gates.both(count[stage], lost));
    word = choose(gates, count[stage], slice(word, int(distance), int(word.size())), word);
  }
  return word;
}

Word shift_left(Gates& gates, const Word& a, const Word& count) {
  Word word = a;
  for (size_t stage = 0; stage < count.size(); ++stage) {
    const size_t distance = stage < 30 ? std::min(size_t{1} << stage, word.size()) : word.size();
    word = choose(gates, count[stage], slice(shifted_left(word, int(distance)), 0, int(a.size())), word);
  }
  return word;
}

} // namespace faultline::solve
