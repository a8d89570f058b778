#include "report/sarif/sarif_place.h"

#include "finding/expression.h"
#include "finding/json/json.h"
#include "report/sarif/line_hash.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace faultline::report {

using Json = finding::Json;

namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The column in code points. The text before it is UTF-8, or else nobody knows.
int code_point_column(const std::string& line, int column) {
  const size_t before = std::min(line.size(), static_cast<size_t>(column) - 1);
  const auto hidden = std::count_if(line.begin(), line.begin() + static_cast<long>(before), is_continuation);
  return column - static_cast<int>(hidden);
}

} // namespace

std::string encoded_path(std::string_view path) {
  constexpr std::string_view kept = "-._~/!$&'()*+,;=@"; // a colon would make a scheme of what stands before it
  std::string text;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    text +=
        plain || kept.find(c) != kept.npos ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

std::string SarifPlaces::root_uri() const {
  return "file://" + encoded_path(root_) + (root_.ends_with('/') ? "" : "/");
}

Json SarifPlaces::artifact(const std::string& file) const {
  namespace fs = std::filesystem;
  const fs::path whole = (fs::path(root_) / file).lexically_normal(); // an absolute file stays itself
  const std::string below = whole.lexically_relative(fs::path(root_).lexically_normal()).string();
  if (below.empty() || below == ".." || below.starts_with("../"))
    return {{"uri", "file://" + encoded_path(whole.string())}};
  return {{"uri", encoded_path(below)}, {"uriBaseId", "%SRCROOT%"}};
}

Json SarifPlaces::location(const std::string& file, int line, int column, int end) const {
  Json physical{{"artifactLocation", artifact(file)}};
  if (line > 0) {
    const std::optional<std::string> text = source_ ? source_(file, line) : std::nullopt;
    Json& region = physical["region"] = {{"startLine", line}};
    if (column > 0)
      region["startColumn"] = text ? code_point_column(*text, column) : column;
    if (column > 0 && end > column)
      region["endColumn"] = text ? code_point_column(*text, end) : end;
    if (text)
      region["snippet"] = {{"text", *text}};
  }
  return {{"physicalLocation", physical}};
}

Json SarifPlaces::expression(const std::string& file, int line, int column, int end) const {
  const std::optional<std::string> text = source_ && line > 0 ? source_(file, line) : std::nullopt;
  const std::optional<finding::Expression> whole =
      text && column > 0 ? finding::expression_in(file, *text, column) : std::nullopt;
  return whole ? location(file, line, whole->first, whole->end) : location(file, line, column, end);
}

std::string SarifPlaces::line_hash(const std::string& file, int line) const {
  auto known = hashes_.find(file);
  if (known == hashes_.end()) {
    const std::optional<std::string> text = whole_ ? whole_(file) : std::nullopt;
    known = hashes_.emplace(file, text ? line_hashes(*text) : std::vector<std::string>()).first;
  }
  const std::vector<std::string>& hashes = known->second;
  return line > 0 && size_t(line) <= hashes.size() ? hashes[size_t(line) - 1] : "";
}

} // namespace faultline::report
