#include "model/edit.h"

#include "base/error.h"
#include "numeric/stable_sort.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace faultline::model {

using base::UserError;

namespace {

// Lines with their ends; the last one may have none.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// Equal pairs of lines, increasing in both: a longest common subsequence. The texts are those between the common first
// and last lines, and edits are local, so they are short. Longer ones count as different from end to end.
std::vector<std::pair<size_t, size_t>> common_lines(const std::vector<std::string_view>& a,
                                                    const std::vector<std::string_view>& b) {
  size_t first = 0, last = 0;
  while (first < std::min(a.size(), b.size()) && a[first] == b[first])
    ++first;
  while (last < std::min(a.size(), b.size()) - first && a[a.size() - 1 - last] == b[b.size() - 1 - last])
    ++last;
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < first; ++i)
    pairs.emplace_back(i, i);
  const size_t rows = a.size() - first - last, columns = b.size() - first - last;
  constexpr size_t most = size_t(1) << 22;
  if (rows * columns <= most) {
    std::vector<std::vector<uint32_t>> length(rows + 1, std::vector<uint32_t>(columns + 1));
    for (size_t i = rows; i-- > 0;)
      for (size_t j = columns; j-- > 0;)
        length[i][j] =
            a[first + i] == b[first + j] ? length[i + 1][j + 1] + 1 : std::max(length[i + 1][j], length[i][j + 1]);
    for (size_t i = 0, j = 0; i < rows && j < columns;) {
      if (a[first + i] == b[first + j])
        pairs.emplace_back(first + i++, first + j++);
      else
        (length[i + 1][j] >= length[i][j + 1] ? i : j) += 1;
    }
  }
  for (size_t i = last; i-- > 0;)
    pairs.emplace_back(a.size() - 1 - i, b.size() - 1 - i);
  return pairs;
}

void add_line(std::string& diff, char mark, std::string_view line) {
  diff += mark;
  diff += line;
  if (!line.ends_with('\n'))
    diff += "\n\\ No newline at end of file\n";
}

std::string place(size_t first, size_t count) {
  return count == 1 ? fmt::format("{}", first + 1) : fmt::format("{},{}", count == 0 ? first : first + 1, count);
}

constexpr size_t context = 3; // lines around a change, as git and diff -u have them

struct Change {
  size_t a, a_end, b, b_end; // lines
};

std::vector<Change> changes_between(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  std::vector<Change> changes;
  size_t i = 0, j = 0;
  const auto until = [&](size_t row, size_t column) {
    if (i < row || j < column)
      changes.push_back({i, row, j, column});
    i = row + 1;
    j = column + 1;
  };
  for (const auto& [row, column] : common_lines(a, b))
    until(row, column);
  until(a.size(), b.size());
  return changes;
}

} // namespace

std::string edited(std::string_view text, std::vector<Edit> edits) {
  numeric::sort_stably(edits, [](const Edit& a, const Edit& b) { return a.offset < b.offset; });
  std::string result;
  size_t at = 0;
  for (const Edit& edit : edits) {
    if (edit.offset < at || edit.offset > text.size() || edit.length > text.size() - edit.offset)
      throw UserError(base::status_usage, fmt::format("{}: edits overlap, or lie outside of the file", edit.file),
                      "the file may have changed since: run faultline fix again");
    result += text.substr(at, edit.offset - at);
    result += edit.text;
    at = edit.offset + edit.length;
  }
  return result += text.substr(at);
}

std::string unified_diff(const std::string& file, std::string_view before, std::string_view after) {
  const std::vector<std::string_view> a = lines_of(before), b = lines_of(after);
  const std::vector<Change> changes = changes_between(a, b);
  if (changes.empty())
    return "";
  std::string diff = fmt::format("--- a/{0}\n+++ b/{0}\n", file);
  for (size_t k = 0; k < changes.size();) {
    size_t last = k;
    while (last + 1 < changes.size() && changes[last + 1].a - changes[last].a_end <= 2 * context)
      ++last;
    const size_t begin = changes[k].a - std::min(changes[k].a, context);
    const size_t end = std::min(changes[last].a_end + context, a.size());
    const size_t new_begin = changes[k].b - (changes[k].a - begin);
    const size_t new_end = changes[last].b_end + (end - changes[last].a_end);
    diff += fmt::format("@@ -{} +{} @@\n", place(begin, end - begin), place(new_begin, new_end - new_begin));
    size_t row = begin;
    for (; k <= last; ++k) {
      for (; row < changes[k].a; ++row)
        add_line(diff, ' ', a[row]);
      for (; row < changes[k].a_end; ++row)
        add_line(diff, '-', a[row]);
      for (size_t column = changes[k].b; column < changes[k].b_end; ++column)
        add_line(diff, '+', b[column]);
    }
    for (; row < end; ++row)
      add_line(diff, ' ', a[row]);
  }
  return diff;
}

namespace {

std::string file_in(std::string_view line) {
  std::string name(line.substr(4, line.find_last_not_of("\r\n") - 3));
  name = name.substr(0, name.find('\t'));
  if (name.starts_with("a/") || name.starts_with("b/"))
    name = name.substr(2);
  return name;
}

// The first number after the mark: -12,7
std::optional<size_t> number_after(std::string_view line, char mark) {
  const size_t at = line.find(mark);
  size_t number = 0;
  if (at == std::string_view::npos ||
      std::from_chars(line.data() + at + 1, line.data() + line.size(), number).ec != std::errc())
    return std::nullopt;
  return number;
}

[[noreturn]] void refuse_diff(size_t line) {
  throw UserError(base::status_usage, fmt::format("line {} of the patch is not part of a unified diff", line + 1),
                  "git diff, diff -u and faultline fix write them");
}

} // namespace

std::vector<FileDiff> parse_diff(std::string_view text) {
  std::vector<FileDiff> files;
  const std::vector<std::string_view> lines = lines_of(text);
  bool in_hunk = false;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (line.starts_with("--- ") && i + 1 < lines.size() && lines[i + 1].starts_with("+++ ")) {
      files.push_back({file_in(lines[++i]), {}});
      in_hunk = false;
    } else if (line.starts_with("@@ ")) {
      const std::optional<size_t> first = number_after(line, '-');
      if (files.empty() || !first)
        refuse_diff(i);
      files.back().hunks.push_back({*first, {}, {}});
      in_hunk = true;
    } else if (in_hunk && (line[0] == ' ' || line[0] == '-' || line[0] == '+' || line[0] == '\n')) {
      FileDiff::Hunk& hunk = files.back().hunks.back();
      const std::string content(line[0] == '\n' ? line : line.substr(1));
      if (line[0] != '+')
        hunk.before.push_back(content);
      if (line[0] != '-')
        hunk.after.push_back(content);
    } else if (in_hunk && line[0] == '\\') { // no newline at the end of the line before
      FileDiff::Hunk& hunk = files.back().hunks.back();
      const char mark = lines[i - 1][0];
      if (mark != '+' && !hunk.before.empty() && hunk.before.back().ends_with('\n'))
        hunk.before.back().pop_back();
      if (mark != '-' && !hunk.after.empty() && hunk.after.back().ends_with('\n'))
        hunk.after.back().pop_back();
    } else {
      in_hunk = false; // the text before a file, such as git's
    }
  }
  if (files.empty())
    refuse_diff(0);
  return files;
}

std::string patched(const std::string& text, const FileDiff& diff) {
  std::vector<std::string> lines;
  for (const std::string_view line : lines_of(text))
    lines.emplace_back(line);
  long moved = 0;
  for (const FileDiff::Hunk& hunk : diff.hunks) {
    const auto fits = [&](long at) {
      return at >= 0 && size_t(at) + hunk.before.size() <= lines.size() &&
             std::equal(hunk.before.begin(), hunk.before.end(), lines.begin() + at);
    };
    const long wanted = long(hunk.line) - (hunk.before.empty() ? 0 : 1) + moved;
    std::optional<long> place;
    for (long distance = 0; distance <= long(lines.size()) && !place; ++distance)
      for (const long at : {wanted + distance, wanted - distance})
        if (!place && fits(at))
          place = at;
    if (!place)
      throw UserError(base::status_usage, fmt::format("the patch does not fit {} at line {}", diff.file, hunk.line),
                      "a patch of the text as it is now");
    lines.erase(lines.begin() + *place, lines.begin() + *place + long(hunk.before.size()));
    lines.insert(lines.begin() + *place, hunk.after.begin(), hunk.after.end());
    moved += long(hunk.after.size()) - long(hunk.before.size());
  }
  std::string result;
  for (const std::string& line : lines)
    result += line;
  return result;
}

} // namespace faultline::model
