// Problems in SARIF 2.1.0 (an OASIS standard), for code scanning services and editors: one run, a rule for each class
// that occurs, a result for each problem, with the way of its error through the code as a code flow. The level is the
// problem's tier.
//
// A result is at the expression at fault; functions that reach it and further lines that it shows in are related
// locations. Its partial fingerprints are that of the finding which speaks for it (faultline/v1, finding/set_aside.h)
// and GitHub's (report/sarif.h). Suppressed problems are there and say so, and with a baseline each result
// says whether it is new.
#pragma once

#include "finding/json/json_place.h"
#include "finding/problem.h"
#include "report/text.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::report {

// Places in files as SARIF has them.
//
// A file below the root (the folder where the hunt was) has a URI that is relative to it, with the base %SRCROOT%: that
// is what code scanning services match with a repository's files. Other files have file:// URIs. Columns count code
// points; the compiler counts bytes, so the source line is needed to convert them.

// The bytes of a source file; nothing if it cannot be read.
using SourceFile = std::function<std::optional<std::string>(const std::string& file)>;

class SarifPlaces {
public:
  SarifPlaces(SourceLine source, SourceFile whole, std::string root)
      : source_(std::move(source)), whole_(std::move(whole)), root_(std::move(root)) {}

  finding::Json artifact(const std::string& file) const;
  // A location with its region and the source line as a snippet; a line of 0 is not known, nor is a column of 0. `end`
  // is the column behind the last character.
  finding::Json location(const std::string& file, int line, int column, int end = 0) const;
  // That of the whole expression which the operation at this column stands for (finding/expression.h), as far as it is
  // known; `end` is used where the source cannot be read.
  finding::Json expression(const std::string& file, int line, int column, int end) const;
  // GitHub's hash of the line (report/sarif.h); empty if the file cannot be read.
  std::string line_hash(const std::string& file, int line) const;
  std::string root_uri() const; // ends with /

private:
  SourceLine source_;
  SourceFile whole_;
  std::string root_;
  mutable std::map<std::string, std::vector<std::string>> hashes_; // of files that were asked for
};

// Percent-encoded as a part of a URI, but for the slashes.
std::string encoded_path(std::string_view path);

// primaryLocationLineHash: the partial fingerprint by which GitHub's code scanning knows a result again.
//
// Its upload action computes it where a file has none, and warns where a file has another value: so it is the same
// here. The definition, after the action's documentation and behaviour: blanks and tabs do not count, every line ending
// is one line feed, and the end of the file is the character 65535. The hash of a line is the polynomial c[0] 37^99 +
// c[1] 37^98 + ... + c[99] modulo 2^64 over the hundred UTF-16 units that begin in it (zeros after the end), in hex;
// behind a colon stands which of the lines with this hash it is.

// Of each line of a file, in order; the text is UTF-8.
std::vector<std::string> line_hashes(std::string_view text);

// `root`: the folder that relative files are relative to.
std::string sarif_text(const finding::RankedReport& ranked, const SourceLine& source, const SourceFile& whole,
                       const std::string& root);

// What a SARIF report says of each rule: a class of problems (finding::Problem::fault).

// A reportingDescriptor, with the rule's page as its help.
finding::Json sarif_rule(std::string_view rule);

// Where the documents are: FAULTLINE_HOMEPAGE of the build.
std::string homepage();

} // namespace faultline::report
