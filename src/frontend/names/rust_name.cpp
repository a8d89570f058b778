#include "frontend/names/rust_name.h"

#include <algorithm>
#include <array>
#include <llvm/Demangle/Demangle.h>
#include <string_view>

namespace faultline::frontend {
namespace {

constexpr size_t hash_digits = 16;

// ::h0123456789abcdef
bool ends_in_hash(const std::string& name) {
  constexpr size_t length = hash_digits + 3;
  return name.size() > length && name.compare(name.size() - length, 3, "::h") == 0 &&
         std::ranges::all_of(name.substr(name.size() - hash_digits),
                             [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// $LT$ is <, $u20$ a blank; empty: it is no such word.
std::string letter_of(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> known{
      {{"LT", "<"}, {"GT", ">"}, {"RF", "&"}, {"BP", "*"}, {"LP", "("}, {"RP", ")"}, {"C", ","}, {"SP", "@"}}};
  const auto found = std::ranges::find(known, word, &std::pair<std::string_view, std::string_view>::first);
  if (found != known.end())
    return std::string(found->second);
  if (word.size() != 3 || word[0] != 'u' || word.find_first_not_of("0123456789abcdef", 1) != std::string_view::npos)
    return {};
  return {char(std::stoi(std::string(word.substr(1)), nullptr, 16))};
}

// _$LT$impl$u20$demo..Point$GT$ is <impl demo::Point>.
std::string unescaped(const std::string& name) {
  std::string text;
  for (size_t i = 0; i < name.size();) {
    const size_t end = name[i] == '$' ? name.find('$', i + 1) : std::string::npos;
    const std::string letter =
        end == std::string::npos ? "" : letter_of(std::string_view(name).substr(i + 1, end - i - 1));
    if (!letter.empty()) {
      text += letter;
      i = end + 1;
    } else if (name.compare(i, 2, "..") == 0) {
      text += "::";
      i += 2;
    } else if (name.compare(i, 2, "_$") == 0 && (i == 0 || name[i - 1] == ':')) {
      ++i;
    } else {
      text += name[i++];
    }
  }
  return text;
}

} // namespace

std::string rust_name(const std::string& symbol) {
  const std::string name = llvm::demangle(symbol);
  if (name == symbol)
    return {};
  if (symbol.starts_with("_R"))
    return name;
  return symbol.starts_with("_ZN") && ends_in_hash(name) ? unescaped(name.substr(0, name.size() - hash_digits - 3))
                                                         : std::string();
}

} // namespace faultline::frontend
