#include "finding/fingerprint.h"

#include "finding/hash.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>

namespace faultline::finding {
namespace {

// Each stretch of white space as one blank, none at the ends.
std::string squeezed(std::string_view line) {
  std::string text;
  for (const char c : line)
    if (!std::isspace(static_cast<unsigned char>(c)))
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  if (text.ends_with(' '))
    text.pop_back();
  return text;
}

void add_place(Hash& hash, const TargetReport& target, const Cause& cause, SourceText& source) {
  const std::string* line = source.line(cause.file, cause.line);
  const bool below = cause.file == target.file && cause.line >= target.line;
  if (!line) {
    hash.add(fmt::format("{}:{}", below ? cause.line - target.line : cause.line, cause.column));
    return;
  }
  const std::string text = squeezed(*line);
  hash.add(text);
  const size_t before = std::min(line->size(), size_t(std::max(cause.column, 1)) - 1);
  hash.add(fmt::format("{}", squeezed(std::string_view(*line).substr(0, before)).size()));
  size_t equal = 0;
  for (int number = below ? target.line : 1; number < cause.line; ++number)
    equal += squeezed(*source.line(cause.file, number)) == text;
  hash.add(fmt::format("{}", equal));
}

} // namespace

std::string fingerprint(const TargetReport& target, const Finding& finding, SourceText& source) {
  Hash hash;
  hash.add(text(finding.kind));
  hash.add(std::filesystem::path(target.file).filename().string());
  hash.add(target.function);
  if (const std::optional<Cause>& cause = finding.cause) {
    hash.add(cause->operation);
    add_place(hash, target, *cause, source);
  } else {
    hash.add(is_error(finding.kind) && finding.output ? finding.output->name
             : finding.thrown                         ? finding.thrown->type
                                                      : finding.detail);
  }
  return hash.text();
}

} // namespace faultline::finding
