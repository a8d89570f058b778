#include "mutation.h"

#include <algorithm>
#include <string_view>

namespace faultline::fuzz {
namespace {

constexpr size_t longest_part = 40; // bytes that are lost, doubled or moved at once: some words
constexpr size_t deepest = 100'000; // levels; a reader that recurses needs more than the 8 MB of a usual stack for them
constexpr uint64_t seldom = 100;    // one change in so many nests that deep: they are slow to read

struct Word {
  size_t begin = 0, length = 0;
};

// From one separator to the next.
Word word_at(const std::string& text, size_t at, std::string_view separators) {
  const auto separates = [&](size_t i) { return separators.find(text[i]) != std::string_view::npos; };
  size_t begin = at, end = at;
  while (begin > 0 && !separates(begin - 1))
    --begin;
  while (end < text.size() && !separates(end))
    ++end;
  return {begin, end - begin};
}

const std::string& one_of(const std::vector<std::string>& texts, numeric::Rng& rng) {
  return texts[rng.below(texts.size())];
}

std::string nested(const std::string& opening, numeric::Rng& rng) {
  const size_t levels = 1 + rng.below(rng.below(seldom) == 0 ? deepest : 300);
  std::string text;
  for (size_t i = 0; i < levels; ++i)
    text += opening;
  return text;
}

void replace_word(std::string& text, size_t from, size_t to, std::string_view separators) {
  const Word taken = word_at(text, from, separators), place = word_at(text, to, separators);
  text.replace(place.begin, place.length, text.substr(taken.begin, taken.length));
}

void change(std::string& text, const Material& material, numeric::Rng& rng) {
  const size_t at = rng.below(text.size()), to = rng.below(text.size());
  const size_t length = rng.below(std::min(text.size() - at, longest_part) + 1);
  const std::string part = text.substr(at, length);
  switch (rng.below(11)) {
  case 0:
    text.resize(at);
    break;
  case 1:
    text[at] = char(rng.below(256));
    break;
  case 2:
    text[at] = char(text[at] ^ (1 << rng.below(8)));
    break;
  case 3:
    text.erase(at, length);
    break;
  case 4: // doubled
    text.insert(to, part);
    break;
  case 5: // moved
    text.erase(at, length);
    text.insert(std::min(to, text.size()), part);
    break;
  case 6:
    text.insert(at, one_of(material.tokens, rng));
    break;
  case 7: {
    const Word word = word_at(text, at, material.separators);
    text.replace(word.begin, word.length, one_of(material.tokens, rng));
    break;
  }
  case 8:
    text.insert(word_at(text, at, material.separators).begin, nested(material.nesting, rng));
    break;
  default:
    replace_word(text, at, to, material.separators);
  }
}

} // namespace

std::string mutant(const Material& material, numeric::Rng& rng) {
  std::string text = one_of(material.seeds, rng);
  for (uint64_t changes = 1 + rng.below(3); changes > 0 && !text.empty(); --changes)
    change(text, material, rng);
  return text;
}

} // namespace faultline::fuzz
