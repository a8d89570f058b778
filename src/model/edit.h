// Edits of source files, as data: a span of bytes and the text in its place. A repair is a list of edits. Diffs,
// sentences, SARIF's fixes and tests are made from them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::model {

struct Edit {
  std::string file;
  uint64_t offset = 0, length = 0; // bytes of the original text
  std::string text;

  bool operator==(const Edit&) const = default;
};

// Applies the edits of one file to its text. They do not overlap; insertions at one place keep their order. Throws
// UserError if they overlap or lie outside of the text.
std::string edited(std::string_view text, std::vector<Edit> edits);

// The difference of two texts as a unified diff that `git apply` takes: `file` is relative to where it is applied.
// Empty if they are equal.
std::string unified_diff(const std::string& file, std::string_view before, std::string_view after);

// A unified diff of one file or several, as it was read.
struct FileDiff {
  std::string file; // without a/ and b/
  struct Hunk {
    size_t line = 0;                        // the first line of the old text, from 1
    std::vector<std::string> before, after; // lines with their ends
  };
  std::vector<Hunk> hunks;
};
// Throws UserError that names the line.
std::vector<FileDiff> parse_diff(std::string_view text);
// Applies the hunks. A hunk whose lines have moved is found at its nearest place. Throws UserError if one does not fit.
std::string patched(const std::string& text, const FileDiff& diff);

} // namespace faultline::model
