#include "finding/settings/meaning_comment.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace faultline::finding {
namespace {

constexpr std::string_view blanks = " \t\r\f\v";
constexpr int most_lines = 60; // of comments before a function

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(blanks);
  return begin == text.npos ? std::string_view() : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::optional<std::string> said_in(std::string_view line) {
  constexpr std::string_view words = "faultline: means ";
  const size_t at = line.find(words);
  if (at == line.npos)
    return {};
  const std::string_view before = trimmed(line.substr(0, at));
  if (before != "//" && before != "/*" && before != "!" && before != "*" && before != "///" && before != "!!")
    return {};
  std::string_view said = line.substr(at + words.size());
  return std::string(trimmed(said.substr(0, said.find("*/"))));
}

bool is_comment(std::string_view line) {
  return line.starts_with("//") || line.starts_with("/*") || line.starts_with("*") || line.starts_with("!") ||
         line.ends_with("*/");
}

// What may stand between a comment and the line of the function's name.
bool belongs_to_function(std::string_view line) {
  return !line.empty() && (line.starts_with("template") || line.starts_with("[[") ||
                           line.starts_with("__attribute__") || line.find_first_of(";{}()") == line.npos);
}

} // namespace

std::vector<std::string> meaning_comments(SourceText& source, const frontend::Target& target) {
  std::vector<std::string> said;
  for (int number = target.line - 1; number > 0 && number > target.line - most_lines; --number) {
    const std::string* text = source.line(target.file, number);
    if (!text)
      break;
    const std::string_view line = trimmed(*text);
    if (!is_comment(line) && !belongs_to_function(line))
      break;
    if (std::optional<std::string> meaning = said_in(line))
      said.push_back(std::move(*meaning));
  }
  std::ranges::reverse(said);
  return said;
}

} // namespace faultline::finding
