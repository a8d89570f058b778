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
#pragma once

#include "finding/report.h"
#include "finding/settings/settings.h"
#include "finding/source_text.h"
#include "frontend/target.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::finding {

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

} // namespace faultline::finding
