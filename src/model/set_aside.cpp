#include "model/set_aside.h"
#include "base/error.h"
#include "base/text.h"
#include "model/expression.h"
#include "model/finding.h"
#include "model/problem.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace faultline::model {

using base::trimmed;

namespace {

// Bytes. The largest sources have some ten megabytes; lines of more than 64 KiB are data.
constexpr size_t largest_file = 32u << 20, largest_line = 64u << 10, most_bytes = 128u << 20;
constexpr size_t most_names = 10'000; // of files: more in a report are not shown

std::string name_of_file(const std::string& path) { return std::filesystem::path(path).filename().string(); }

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word))
    return false;
  text.remove_prefix(word.size());
  return true;
}

// The comment's text after "faultline:", and whether it is alone in its line.
struct CommentText {
  std::string_view text;
  bool alone;
};
std::optional<CommentText> faultline_comment(std::string_view line) {
  constexpr std::string_view name = "faultline:";
  const size_t at = line.find(name);
  if (at == std::string_view::npos)
    return {};
  std::string_view before = trimmed(line.substr(0, at));
  const bool block = before.ends_with("/*");
  if (!block && !before.ends_with("//") && !before.ends_with("!"))
    return {};
  before.remove_suffix(before.ends_with("!") ? 1 : 2);
  std::string_view text = line.substr(at + name.size()), after;
  if (const size_t end = block ? text.find("*/") : text.npos; end != text.npos) {
    after = trimmed(text.substr(end + 2));
    text = text.substr(0, end);
  }
  return CommentText{trimmed(text), trimmed(before).empty() && after.empty()};
}

std::string unknown_kind(const std::string& kind) {
  const std::vector<std::string> close = base::nearest(kind, ignorable_names());
  return fmt::format("there is no kind '{}'{}", kind,
                     close.empty() ? std::string("; docs/kinds has a page for each")
                                   : fmt::format("; did you mean {}?", fmt::join(close, ", ")));
}

// Reads the list in brackets and removes it from the text.
void read_kinds(std::string_view& text, IgnoreComment& comment) {
  const size_t end = text.find(']');
  if (end == text.npos) {
    comment.problem = "the bracket is not closed";
    return;
  }
  const std::vector<std::string> known = ignorable_names();
  for (std::string_view list = text.substr(0, end); !list.empty();) {
    const size_t comma = list.find(',');
    const std::string kind(trimmed(list.substr(0, comma)));
    list.remove_prefix(comma == list.npos ? list.size() : comma + 1);
    if (std::ranges::find(known, kind) == known.end())
      comment.problem = unknown_kind(kind);
    comment.kinds.push_back(kind);
  }
  if (comment.kinds.empty())
    comment.problem = "the brackets name no kind";
  text.remove_prefix(end + 1);
}

bool concerns(const IgnoreComment& comment, const Finding& finding) {
  return comment.kinds.empty() || std::ranges::any_of(comment.kinds, [&](const std::string& kind) {
           return kind == rule(finding) || kind == text(finding.kind) || kind == problem_class(finding);
         });
}

bool was_looked_for(const IgnoreComment& comment, const WantedKinds& wanted) {
  const std::vector<std::string> kinds = comment.kinds.empty() ? ignorable_names() : comment.kinds;
  return std::ranges::all_of(kinds, [&](const std::string& kind) {
    return is_wanted(kind_of(kind).value_or(Kind::inaccuracy), wanted); // a class of faults is a kind of inaccuracy
  });
}

bool conclusive(TargetOutcome outcome) {
  return outcome == TargetOutcome::found || outcome == TargetOutcome::none || outcome == TargetOutcome::proved;
}

// Returns the line of the function that contains this line: the last one that begins before it.
int function_of(int line, const std::string& file, const std::vector<Target>& functions) {
  int begin = 0;
  for (const Target& function : functions)
    if (function.file == file && function.line <= line)
      begin = std::max(begin, function.line);
  return begin;
}

// Replaces each stretch of white space by one blank and removes it at the ends.
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
  for (int number = below ? std::max(target.line, 1) : 1; number < cause.line; ++number)
    equal += squeezed(*source.line(cause.file, number)) == text;
  hash.add(fmt::format("{}", equal));
}

} // namespace

SourceText::Lines SourceText::split(const std::string& text) {
  Lines lines;
  for (size_t begin = 0; begin < text.size() && bytes_ < most_bytes;) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, std::min(end - begin, largest_line)));
    bytes_ += lines.back().size() + sizeof(std::string);
    begin = end + 1;
  }
  return lines;
}

const std::vector<std::string>& SourceText::lines(const std::string& file) {
  static const Lines none;
  if (const auto entry = files_.find(file); entry != files_.end())
    return *entry->second;
  if (files_.size() > most_names)
    return none;
  std::shared_ptr<const Lines> lines = std::make_shared<const Lines>();
  if (const auto found = project_.open(file)) {
    std::shared_ptr<const Lines>& own = files_[found->path];
    if (!own)
      own = std::make_shared<const Lines>(split(base::content_of(*found, bytes_ < most_bytes ? largest_file : 0)));
    lines = own;
  }
  return *(files_[file] = std::move(lines));
}

const std::string* SourceText::line(const std::string& file, int number) {
  const std::vector<std::string>& all = lines(file);
  return number < 1 || size_t(number) > all.size() ? nullptr : &all[size_t(number) - 1];
}

Baseline baseline_from(const Report& report, const std::string& file) {
  Baseline baseline{file, {}};
  for (const TargetReport& target : report.targets)
    for (const Finding& finding : target.findings) {
      if (finding.fingerprint.empty())
        throw base::UserError(base::status_usage, fmt::format("{}: finding {} has no fingerprint", file, finding.id),
                              fmt::format("make the file again: faultline hunt ... -o {}", file));
      baseline.findings.emplace(finding.fingerprint, Baseline::Entry{target.function, name_of_file(target.file)});
    }
  return baseline;
}

uint64_t gone(const Baseline& baseline, const Report& report) {
  std::set<std::string> found;
  std::set<std::pair<std::string, std::string>> hunted;
  for (const TargetReport& target : report.targets) {
    hunted.emplace(target.function, name_of_file(target.file));
    for (const Finding& finding : target.findings)
      found.insert(finding.fingerprint);
  }
  uint64_t count = 0;
  for (const auto& [fingerprint, entry] : baseline.findings)
    count += hunted.contains({entry.function, entry.source}) && !found.contains(fingerprint);
  return count;
}

std::vector<std::string> ignorable_names() {
  std::set<std::string> names;
#define FAULTLINE_ADD_NAME(id, text, ...) names.insert(text);
  FAULTLINE_FINDING_KINDS(FAULTLINE_ADD_NAME)
  FAULTLINE_FAULTS(FAULTLINE_ADD_NAME)
#undef FAULTLINE_ADD_NAME
  return {names.begin(), names.end()};
}

std::optional<IgnoreComment> ignore_comment(std::string_view line) {
  const std::optional<CommentText> found = faultline_comment(line);
  if (!found)
    return {};
  IgnoreComment comment;
  comment.alone = found->alone;
  std::string_view text = found->text;
  if (text.starts_with("means ")) // handled in hunt/configuration.h
    return {};
  const bool ignores = take(text, "ignore");
  if (!ignores || (!text.empty() && std::string_view(" \t[:").find(text.front()) == text.npos)) {
    comment.problem = "it is not understood: faultline: ignore[KIND] REASON";
    return comment;
  }
  text = trimmed(text);
  if (take(text, "["))
    read_kinds(text, comment);
  text = trimmed(text);
  take(text, ":");
  comment.reason = std::string(trimmed(text));
  if (comment.problem.empty() && comment.reason.empty())
    comment.problem = "it has no reason: add why the finding does not matter";
  return comment;
}

Suppressions::Comments& Suppressions::comments(const std::string& file) {
  if (const auto entry = files_.find(file); entry != files_.end())
    return entry->second;
  Comments found;
  int number = 0;
  for (const std::string& line : source_.lines(file)) {
    ++number;
    if (std::optional<IgnoreComment> comment = ignore_comment(line))
      found.emplace(number, std::move(*comment));
  }
  return files_.emplace(file, std::move(found)).first->second;
}

std::optional<Suppression> Suppressions::at(const std::string& file, int line, const Finding& finding) {
  Comments& all = comments(file);
  for (int number = line; number > 0; --number) {
    const auto entry = all.find(number);
    const bool speaks = entry != all.end() && (number == line || entry->second.alone);
    if (!speaks && number < line)
      return {}; // several comments may follow each other
    if (speaks && entry->second.problem.empty() && concerns(entry->second, finding)) {
      entry->second.used = true;
      return Suppression{file, number, entry->second.reason};
    }
  }
  return {};
}

std::optional<Suppression> Suppressions::find(const TargetReport& target, const Finding& finding) {
  if (finding.cause && !finding.cause->file.empty())
    if (std::optional<Suppression> found = at(finding.cause->file, finding.cause->line, finding))
      return found;
  if (std::optional<Suppression> found = at(target.file, target.line, finding))
    return found;
  // The result's type may be on a line of its own above the name.
  const std::string* above = source_.line(target.file, target.line - 1);
  const bool type = above && !trimmed(*above).empty() && above->find_first_of(";{}()") == std::string::npos;
  return type ? at(target.file, target.line - 1, finding) : std::nullopt;
}

bool Suppressions::has_comments(const std::vector<TargetReport>& targets) {
  return std::ranges::any_of(targets, [&](const TargetReport& target) { return !comments(target.file).empty(); });
}

std::vector<std::string> Suppressions::remarks(const std::vector<TargetReport>& targets,
                                               const std::vector<Target>& functions, const WantedKinds& wanted) {
  std::set<std::string> files;
  std::set<std::pair<std::string, int>> hunted; // file and line
  for (const TargetReport& target : targets) {
    files.insert(target.file);
    if (conclusive(target.outcome))
      hunted.emplace(target.file, target.line);
  }
  std::vector<std::string> remarks;
  for (const std::string& file : files)
    for (const auto& [line, comment] : comments(file)) {
      const auto remark = [&](const char* weight, const std::string& what) {
        remarks.push_back(fmt::format("{}:{}: {}: the comment 'faultline: ignore' {}", file, line, weight, what));
      };
      const int begin = function_of(line + comment.alone, file, functions);
      if (!comment.problem.empty())
        remark("warning", "has no effect: " + comment.problem);
      else if (!comment.used && hunted.contains({file, begin}) && was_looked_for(comment, wanted))
        remark("note", "suppresses no finding");
    }
  return remarks;
}

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

void SetAside::apply(const TargetReport& target, Finding& finding) {
  read_expressions(finding, source_);
  finding.fingerprint = fingerprint(target, finding, source_);
  finding.suppressed = suppressions_.find(target, finding);
  if (baseline_)
    finding.novelty = baseline_->findings.contains(finding.fingerprint) ? Novelty::known : Novelty::fresh;
}

void SetAside::conclude(Report& report, const std::function<std::vector<Target>()>& functions,
                        const WantedKinds& wanted) {
  if (baseline_)
    report.baseline = {baseline_->file, gone(*baseline_, report)};
  if (suppressions_.has_comments(report.targets))
    report.remarks = suppressions_.remarks(report.targets, functions(), wanted);
}

Kept kept_in(Report report, const std::string& folder, const std::string& file) {
  if (report.targets.size() != 1 || report.targets.front().findings.size() != 1 ||
      report.targets.front().findings.front().fingerprint.empty())
    throw base::UserError(base::status_usage, fmt::format("{}/{}: is not a file of a corpus", folder, file),
                          "a corpus has one finding in each file, as faultline hunt --corpus DIR writes them");
  Kept kept{file, std::move(report.targets.front()), {}};
  kept.finding = std::move(kept.target.findings.front());
  kept.target.findings.clear();
  return kept;
}

namespace {

constexpr int most_lines = 60; // of comments before a function

// The rest of a comment that begins with these words.
std::optional<std::string> comment_after(std::string_view words, std::string_view line) {
  const size_t at = line.find(words);
  if (at == line.npos)
    return {};
  const std::string_view before = trimmed(line.substr(0, at));
  if (before != "//" && before != "/*" && before != "!" && before != "*" && before != "///" && before != "!!")
    return {};
  std::string_view raw = line.substr(at + words.size());
  return std::string(trimmed(raw.substr(0, raw.find("*/"))));
}

bool is_comment(std::string_view line) {
  return line.starts_with("//") || line.starts_with("/*") || line.starts_with("*") || line.starts_with("!") ||
         line.ends_with("*/");
}

// True for lines that may be between a comment and the line of the function's name.
bool belongs_to_function(std::string_view line) {
  return !line.empty() && (line.starts_with("template") || line.starts_with("[[") ||
                           line.starts_with("__attribute__") || line.find_first_of(";{}()") == line.npos);
}

} // namespace

FunctionComments function_comments(SourceText& source, const Target& target) {
  FunctionComments comments;
  for (int number = target.line - 1; number > 0 && number > target.line - most_lines; --number) {
    const std::string* text = source.line(target.file, number);
    if (!text)
      break;
    const std::string_view line = trimmed(*text);
    if (!is_comment(line) && !belongs_to_function(line))
      break;
    if (std::optional<std::string> meaning = comment_after("faultline: means ", line))
      comments.meanings.push_back(std::move(*meaning));
    if (std::optional<std::string> assumption = comment_after("faultline: assume ", line))
      comments.assumptions.push_back(std::move(*assumption));
  }
  std::ranges::reverse(comments.meanings);
  std::ranges::reverse(comments.assumptions);
  return comments;
}

} // namespace faultline::model
