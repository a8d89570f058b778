// Suppresses findings: those with a comment in the source, and those in a baseline. They stay in the report and do not
// count.
#pragma once

#include "base/files.h"
#include "model/report.h"
#include "model/settings/settings.h"
#include "model/target.h"

#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::model {

// The text of source files that belong to a project. Each is read once, by whatever path it is named. A file that
// cannot be read, or is another's, has no lines, as for bitcode without source. Memory is bounded: so are the size of a
// file and a line, and the sum of all files.
class SourceText {
public:
  // `folders`: those of the project (program/project_files.h).
  explicit SourceText(const std::vector<std::string>& folders) : project_(folders) {}
  void add_to_project(const std::vector<std::string>& files) { project_.add(files); }

  const std::vector<std::string>& lines(const std::string& file);
  // `number` counts from 1. Returns null if the file is shorter or cannot be read.
  const std::string* line(const std::string& file, int number);

private:
  using Lines = std::vector<std::string>;
  Lines split(const std::string& text);

  base::ProjectFiles project_;
  std::map<std::string, std::shared_ptr<const Lines>> files_; // by the path that names them, and by the real one
  size_t bytes_ = 0;                                          // of all lines
};

// The findings of an earlier hunt (--baseline FILE.json), which do not count as failures again. They are matched by
// fingerprint, so lines may have moved.
struct Baseline {
  std::string file;
  struct Entry {
    std::string function;
    std::string source; // the name of its file, without the folder
  };
  std::map<std::string, Entry> findings; // by fingerprint
};

// Throws UserError if findings have no fingerprints because an earlier version wrote them.
Baseline baseline_from(const Report& report, const std::string& file);

// Returns the number of its findings, of functions in the report, that are not in the report.
uint64_t gone(const Baseline& baseline, const Report& report);

// Comments that suppress findings:
//
//   double d = 1.0 - cos(x); // faultline: ignore[cancellation] x is above 0.1 here
//
// in // and /* */ and after Fortran's !, in the line at fault or alone in the line before it. In the line of a
// function's definition, or alone before it, a comment applies to all findings of a search of that function. The
// brackets hold kinds or rules, separated by commas; without brackets, the comment applies to all kinds.
//
// A reason is required, so that later readers can judge whether it still holds. A comment without a reason or with an
// unknown kind has no effect and causes a remark. Rejected: a separate file of suppressions, because it would contain
// line numbers, which change. --baseline is for findings without a comment.
struct IgnoreComment {
  std::vector<std::string> kinds; // or rules; empty: all
  std::string reason;
  bool alone = false;  // no code in its line
  std::string problem; // why it has no effect
  bool used = false;
};
std::optional<IgnoreComment> ignore_comment(std::string_view line);

// Returns all names that a comment may contain.
std::vector<std::string> ignorable_names();

class Suppressions {
public:
  explicit Suppressions(SourceText& source) : source_(source) {}

  // Returns the comment that suppresses this finding, and marks it as used.
  std::optional<Suppression> find(const TargetReport& target, const Finding& finding);

  // Returns remarks about the files of these targets: comments without effect, and comments in the targets that
  // suppressed nothing although their kinds were searched for. `functions` are all functions of the program: a comment
  // belongs to the last one that begins before it.
  std::vector<std::string> remarks(const std::vector<TargetReport>& targets, const std::vector<Target>& functions,
                                   const WantedKinds& wanted);
  bool has_comments(const std::vector<TargetReport>& targets);

private:
  using Comments = std::map<int, IgnoreComment>; // by line
  Comments& comments(const std::string& file);
  std::optional<Suppression> at(const std::string& file, int line, const Finding& finding);

  SourceText& source_;
  std::map<std::string, Comments> files_;
};

// The meaning of a function and its assumptions, in comments directly before it:
//
//   // faultline: means sqrt(x + 1) - sqrt(x)
//   // faultline: assume x >= 0
//   double difference(double x) {
//
// in // and /* */ and after Fortran's !, alone in a line. Other comments, attributes, a template's head and the type of
// the result may follow before the function; an empty line or other code may not. Several such lines are for several
// outputs: means .OUTPUT=EXPRESSION.

// In the order of the lines, in the form of --means and --assume.
struct FunctionComments {
  std::vector<std::string> meanings, assumptions;
};
FunctionComments function_comments(SourceText& source, const Target& target);

class SetAside {
public:
  // `folders`: those of the project, whose files may have comments.
  SetAside(std::shared_ptr<const Baseline> baseline, const std::vector<std::string>& folders)
      : baseline_(std::move(baseline)), source_(folders), suppressions_(source_) {}

  void add_to_project(const std::vector<std::string>& files) { source_.add_to_project(files); }

  // Sets fingerprint and source texts of the finding, and whether it is suppressed or known.
  void apply(const TargetReport& target, Finding& finding);

  // Adds the remarks on the baseline and on comments to the complete report. `functions` returns the functions of the
  // program, and is called only if there are comments.
  void conclude(Report& report, const std::function<std::vector<Target>()>& functions, const WantedKinds& wanted);

private:
  std::shared_ptr<const Baseline> baseline_; // or none
  SourceText source_;
  Suppressions suppressions_;
};

// Returns a finding's fingerprint, which identifies it after the code around it has changed.
//
// It is a hash of the kind, the file's name without its folder, the target, the operation, the text of the line at
// fault with white space squeezed, the position of the operation in that text, and the number of the line among equal
// lines. It does not change when the line moves or is indented, and changes with the text of the line. It does not
// include line numbers; the input and the error, which depend on the budget; and the class of the fault (the rule),
// which may depend on the worst input.
//
// Equal lines are counted from the target's first line if the line at fault is below it, so that a new one in another
// function has no effect. If the source cannot be read, the distance from the target's line replaces the text. A
// finding without a cause uses its detail instead ("called abort"), or the name of the wrong output.
std::string fingerprint(const TargetReport& target, const Finding& finding, SourceText& source);

// Findings that are kept from hunt to hunt (--corpus DIR). Their inputs are tried first the next time, so that known
// findings are found again for every seed and budget.
//
// A file holds one finding in the format of -o FILE.json. Its name is made of the function and the finding's
// fingerprint, so it can be read, replayed, copied into another corpus and deleted separately, and stays valid while
// the code around the finding changes. A hunt deletes no file: an input that no longer fails guards the fix. The user
// gets a message.
//
// The inputs are run in addition to the search, which is the same as without a corpus. A corpus can add findings and
// never loses one.
struct Kept {
  std::string file; // file name without the folder
  TargetReport target;
  Finding finding;
};

struct Corpus {
  std::string folder;
  std::vector<Kept> kept; // ordered by file name
};

// Returns the content of a file of the corpus. Throws UserError if it does not hold exactly one finding.
Kept kept_in(Report report, const std::string& folder, const std::string& file);

// A hash of words (64-bit FNV-1a) for names of findings. It is the same on every machine and in every run.
class Hash {
public:
  void add(std::string_view words) {
    for (const unsigned char c : words)
      mix(c);
    mix(0xff); // not a byte of UTF-8, so "ab", "c" differs from "a", "bc"
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

private:
  void mix(unsigned char c) { hash_ = (hash_ ^ c) * 0x100000001b3; }

  uint64_t hash_ = 0xcbf29ce484222325;
};

} // namespace faultline::model
