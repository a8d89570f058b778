// Places in files as SARIF has them.
//
// A file below the root (the folder where the hunt was) has a URI that is relative to it, with the base %SRCROOT%: that
// is what code scanning services match with a repository's files. Other files have file:// URIs. Columns count code
// points; the compiler counts bytes, so the source line is needed to convert them.
#pragma once

#include "report/excerpt.h"

#include <nlohmann/json.hpp>

#include <string>

namespace faultline::report {

class SarifPlaces {
public:
  SarifPlaces(SourceLine source, std::string root) : source_(std::move(source)), root_(std::move(root)) {}

  nlohmann::ordered_json artifact(const std::string& file) const;
  // A location with its region and the source line as a snippet; a line of 0 is not known, nor is a column of 0.
  nlohmann::ordered_json location(const std::string& file, int line, int column) const;
  std::string root_uri() const; // ends with /

private:
  SourceLine source_;
  std::string root_;
};

// Percent-encoded as a part of a URI, but for the slashes.
std::string encoded_path(std::string_view path);

} // namespace faultline::report
