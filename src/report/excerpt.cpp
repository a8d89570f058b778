#include "report/excerpt.h"

#include "finding/expression.h"
#include "finding/source_text.h"
#include "report/table.h"

#include <fmt/format.h>
#include <memory>

namespace faultline::report {
namespace {

constexpr size_t widest_line = 160;

} // namespace

SourceLine source_files() {
  auto files = std::make_shared<finding::SourceText>();
  return [files](const std::string& file, int line) -> std::optional<std::string> {
    const std::string* found = files->line(file, line);
    return found ? std::optional(*found) : std::nullopt;
  };
}

std::string printable(std::string_view text) {
  std::string clean;
  for (const char c : text)
    if (c == '\t')
      clean += ' ';
    else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F)
      clean += c;
    else if (c != '\r')
      clean += '?';
  return clean;
}

std::string excerpt(const SourceLine& source, const std::string& file, int line, int column, const Style& style) {
  const std::optional<std::string> found = source ? source(file, line) : std::nullopt;
  if (!found)
    return {};
  std::string text = fmt::format("{:5} | {}\n", line, shortened(printable(*found), widest_line));
  auto at = static_cast<size_t>(column);
  if (column < 1 || at > found->size() || at > widest_line - 3)
    return text;
  // The compiler counts bytes, the terminal characters.
  auto characters = [&](size_t from, size_t to) { return width(found->substr(from - 1, to - from)); };
  const std::optional<finding::Expression> expression = finding::expression_in(file, *found, column);
  const size_t first = expression ? size_t(expression->first) : at, end = expression ? size_t(expression->end) : at + 1;
  at = std::max(at, first); // of a statement in Fortran: behind the equals sign
  const std::string before(characters(first, at), '~'), after(characters(at + 1, std::max(end, at + 1)), '~');
  text += fmt::format("      | {}{}\n", std::string(characters(1, first), ' '), style.mark(before + "^" + after));
  return text;
}

} // namespace faultline::report
