// The pages of docs/kinds, one for each rule (finding::rule): what it is, an example, how it is repaired, when it can
// be ignored. They are part of the program, for faultline explain --kind and for the rules of a SARIF report.
//
// A page begins with its title ("# Cancellation") and a paragraph that says what it is; the first sentence of it can
// stand alone.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::report {

const std::map<std::string, std::string>& kind_page_files(); // by file name: cmake/Embed.cmake makes it

std::vector<std::string> kind_names(); // cancellation, ...; sorted

// Throws frontend::UserError for a name that is none, with the nearest ones.
const std::string& kind_page(std::string_view name);

struct PageSummary {
  std::string title;     // Cancellation
  std::string sentence;  // the first one
  std::string paragraph; // both without markup
};
PageSummary summary_of(const std::string& page);

} // namespace faultline::report
