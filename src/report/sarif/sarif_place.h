// Places in files as SARIF has them.
//
// A file below the root (the folder where the hunt was) has a URI that is relative to it, with the base %SRCROOT%: that
// is what code scanning services match with a repository's files. Other files have file:// URIs. Columns count code
// points; the compiler counts bytes, so the source line is needed to convert them.
#pragma once

#include "finding/json/json.h"
#include "report/excerpt.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace faultline::report {

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
  // GitHub's hash of the line (report/sarif/line_hash.h); empty if the file cannot be read.
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

} // namespace faultline::report
