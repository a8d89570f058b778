#include "report/source_spans.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace faultline::report {
namespace {

constexpr int around_cause = 12, around_others = 2, largest_function = 60;

bool ends_fortran(const std::string& line) {
  std::string word;
  for (const char c : line)
    if (c != ' ' && c != '\t')
      word += char(std::tolower(static_cast<unsigned char>(c)));
  return word.starts_with("endfunction") || word.starts_with("endsubroutine");
}

// The lines of each file, by file in the order of mention.
class Lines {
public:
  explicit Lines(const SourceLine& source) : source_(source) {}

  void add(const std::string& file, int first, int last) {
    if (std::ranges::find(files_, file) == files_.end())
      files_.push_back(file);
    for (int line = std::max(1, first); line <= last; ++line)
      if (source_(file, line))
        lines_[file].insert(line);
  }

  // A line with its neighbours, if it is not there already.
  void add_place(const std::string& file, int line) {
    if (const auto found = lines_.find(file); found == lines_.end() || !found->second.contains(line))
      add(file, line - around_others, line + around_others);
  }

  std::vector<Span> spans() const {
    std::vector<Span> all;
    for (const std::string& file : files_) {
      const auto found = lines_.find(file);
      if (found == lines_.end())
        continue;
      for (const int line : found->second)
        if (!all.empty() && all.back().file == file && all.back().last + 1 == line)
          all.back().last = line;
        else
          all.push_back({file, line, line});
    }
    return all;
  }

private:
  const SourceLine& source_;
  std::vector<std::string> files_;
  std::map<std::string, std::set<int>> lines_;
};

} // namespace

int function_end(const SourceLine& source, const std::string& file, int first, int most) {
  int depth = 0;
  bool begun = false;
  const bool is_list = file.ends_with(".fpcore");
  const char opening = is_list ? '(' : '{', closing = is_list ? ')' : '}';
  for (int line = first; line < first + most; ++line) {
    const std::optional<std::string> text = source(file, line);
    if (!text)
      return 0;
    for (const char c : *text) {
      begun = begun || c == opening;
      depth += c == opening ? 1 : c == closing ? -1 : 0;
    }
    if (begun ? depth <= 0 : ends_fortran(*text))
      return line;
  }
  return 0;
}

std::vector<Span> source_spans(const finding::TargetReport& target, const finding::Finding& finding,
                               const SourceLine& source) {
  Lines lines(source);
  const std::string& file = finding.cause ? finding.cause->file : target.file;
  const int centre = finding.cause ? finding.cause->line : target.line;
  const int end = target.line > 0 ? function_end(source, target.file, target.line, largest_function) : 0;
  if (file == target.file && target.line <= centre && centre <= end)
    lines.add(file, target.line, end);
  else
    lines.add(file, centre - around_cause, centre + around_cause);
  if (finding.diagnosis) {
    for (const finding::ChainLink& step : finding.diagnosis->chain)
      lines.add_place(step.file, step.line);
    for (const finding::LineShare& share : finding.diagnosis->lines)
      lines.add_place(share.file, share.line);
  }
  return lines.spans();
}

} // namespace faultline::report
