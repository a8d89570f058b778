// Problems in SARIF 2.1.0 (an OASIS standard), for code scanning services and editors: one run, a rule per class that
// occurs, and a result per problem, with the path of its error through the code as a code flow. The level is the
// problem's tier.
//
// A result is at the expression at fault. Functions that reach it, and further lines of its findings, are related
// locations. Its partial fingerprints are that of the representative (faultline/v1, model/set_aside.h) and GitHub's
// (below). Suppressed problems are marked as such. With a baseline, each result is marked as new or known.
#pragma once

#include "model/json/json_place.h"
#include "model/problem.h"
#include "report/text.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::report {

// Places in files in the form of SARIF.
//
// A file below the root (the current folder of the hunt) has a URI relative to it, with the base %SRCROOT%, which code
// scanning services match with a repository's files. Other files have file:// URIs. Columns count code points, while
// the compiler counts bytes, so the conversion needs the source line.

// The bytes of a source file; nothing if it cannot be read.
using SourceFile = std::function<std::optional<std::string>(const std::string& file)>;

class SarifPlaces {
public:
  SarifPlaces(SourceLine source, SourceFile whole, std::string root)
      : source_(std::move(source)), whole_(std::move(whole)), root_(std::move(root)) {}

  model::Json artifact(const std::string& file) const;
  // A location with its region and the source line as a snippet. A line or column of 0 is unknown. `end` is the column
  // after the last character.
  model::Json location(const std::string& file, int line, int column, int end = 0) const;
  // The location of the whole expression of the operation at this column (model/expression.h), if it is known. `end`
  // is used if the source cannot be read.
  model::Json expression(const std::string& file, int line, int column, int end) const;
  // GitHub's hash of the line (see line_hashes); empty if the file cannot be read.
  std::string line_hash(const std::string& file, int line) const;
  std::string root_uri() const; // ends with /

private:
  SourceLine source_;
  SourceFile whole_;
  std::string root_;
  mutable std::map<std::string, std::vector<std::string>> hashes_; // by file
};

// Percent-encodes a part of a URI, except for slashes.
std::string encoded_path(std::string_view path);

// primaryLocationLineHash: the partial fingerprint by which GitHub's code scanning identifies a result.
//
// GitHub's upload action computes it for files without one and warns about different values, so this is the same
// function. The definition, from the action's documentation and behaviour: blanks and tabs are ignored, every line
// ending is one line feed, and the end of the file is the character 65535. The hash of a line is the polynomial c[0]
// 37^99 + c[1] 37^98 + ... + c[99] modulo 2^64 over the hundred UTF-16 units that begin in it (zeros after the end), in
// hex, followed by a colon and the number of the line among those with this hash.

// Returns the hashes of the lines of a file in UTF-8, in order.
std::vector<std::string> line_hashes(std::string_view text);

// `root` is the base of relative paths.
std::string sarif_text(const model::RankedReport& ranked, const SourceLine& source, const SourceFile& whole,
                       const std::string& root);

// The description of a rule in a SARIF report. A rule is a class of problems (model::Problem::fault).

// Returns a reportingDescriptor with the rule's page as its help.
model::Json sarif_rule(std::string_view rule);

// Returns the address of the documentation: FAULTLINE_HOMEPAGE of the build.
std::string homepage();

} // namespace faultline::report
