// Keeps quiet about what the user does not want to hear again: findings that a comment in the source suppresses, and
// those that a baseline has. They stay in the report, and do not count.
#pragma once

#include "finding/report.h"
#include "finding/settings/settings.h"
#include "frontend/target.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::finding {

// The text of source files, each read once. What cannot be read (bitcode may come without its source) has no lines.
class SourceText {
public:
  const std::vector<std::string>& lines(const std::string& file);
  // Counted from 1. None if the file is shorter, or cannot be read.
  const std::string* line(const std::string& file, int number);

private:
  std::map<std::string, std::vector<std::string>> files_;
};

// The findings of an earlier hunt, with which a new one is compared (--baseline FILE.json): what stands there is known,
// and no reason to fail. Findings are matched by their fingerprints, so that lines may have moved.
struct Baseline {
  std::string file;
  struct Entry {
    std::string function;
    std::string source; // its file's name, without the folder
  };
  std::map<std::string, Entry> findings; // by fingerprint
};

// Throws frontend::UserError if its findings have no fingerprints: an earlier version has written them.
Baseline baseline_from(const Report& report, const std::string& file);

// Findings in it, of functions that the report has, that are not in the report.
uint64_t gone(const Baseline& baseline, const Report& report);

// Comments that ask not to be told of a finding:
//
//   double d = 1.0 - cos(x); // faultline: ignore[cancellation] x is above 0.1 here
//
// in // and /* */ and after Fortran's !, in the line at fault or alone in the line before it. In the line where a
// function is defined, or alone before it, it speaks of all that is found when that function is hunted in. The brackets
// hold kinds or rules, with commas; without brackets all kinds are meant.
//
// A reason is required: whoever reads the code later has to be able to judge whether it still holds. A comment without
// one is not obeyed, nor is one that names an unknown kind; a remark says so. Rejected: a file of suppressions beside
// the source, for it names lines that move; what is not a comment is --baseline's business.
struct IgnoreComment {
  std::vector<std::string> kinds; // or rules; empty: all
  std::string reason;
  bool alone = false;  // nothing else stands in the line
  std::string problem; // why it is not obeyed
  bool used = false;
};
std::optional<IgnoreComment> ignore_comment(std::string_view line);

// All that a comment may name.
std::vector<std::string> ignorable_names();

class Suppressions {
public:
  explicit Suppressions(SourceText& source) : source_(source) {}

  // The comment that suppresses this finding. It counts as used from now on.
  std::optional<Suppression> find(const TargetReport& target, const Finding& finding);

  // In the files of these targets: comments that are not obeyed, and those in the targets that suppressed nothing
  // although what they name was looked for. `functions` are all that the program has: a comment belongs to the last one
  // that begins before it.
  std::vector<std::string> remarks(const std::vector<TargetReport>& targets,
                                   const std::vector<frontend::Target>& functions, const Wanted& wanted);
  bool has_comments(const std::vector<TargetReport>& targets);

private:
  using Comments = std::map<int, IgnoreComment>; // by line
  Comments& comments(const std::string& file);
  std::optional<Suppression> at(const std::string& file, int line, const Finding& finding);

  SourceText& source_;
  std::map<std::string, Comments> files_;
};

class SetAside {
public:
  explicit SetAside(std::shared_ptr<const Baseline> baseline)
      : baseline_(std::move(baseline)), suppressions_(source_) {}

  // Gives the finding its fingerprint and the texts of its places, and says whether it is suppressed or known.
  void apply(const TargetReport& target, Finding& finding);

  // What is to be said of the baseline and of the comments when all is done. `functions` tells what functions the
  // program has, and is asked only if there are comments.
  void conclude(Report& report, const std::function<std::vector<frontend::Target>()>& functions, const Wanted& wanted);

private:
  std::shared_ptr<const Baseline> baseline_; // or none
  SourceText source_;
  Suppressions suppressions_;
};

// A finding's fingerprint: by it the same finding is known again after the code around it has changed.
//
// It is a hash of the kind, the file's name without its folder, the target, the operation, the text of the line at
// fault with the white space squeezed, where in that text the operation stands, and which one of several equal lines it
// is. So it survives whatever shifts or indents the line, and a change of the line itself ends it. Not in it: line
// numbers; the input and the error, which a larger budget changes; and the class of the fault (the rule), which may
// depend on the input that happens to be the worst.
//
// Equal lines are counted from the target's first line if the line at fault is below it, so that one more of them in
// another function does not matter. Where the source cannot be read, the distance from the target's line stands for the
// text. A finding without a cause has its detail instead ("called abort"), or the name of the output that is wrong.
std::string fingerprint(const TargetReport& target, const Finding& finding, SourceText& source);

} // namespace faultline::finding
