// The pages of docs/kinds, one per rule (model::rule): definition, example, repair, and when to ignore it. They are
// part of the program, for faultline explain --kind and for the rules of a SARIF report.
//
// A page begins with its title ("# Cancellation") and a defining paragraph, whose first sentence can be used alone.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::report {

const std::map<std::string, std::string>& kind_page_files(); // by file name; made by cmake/Embed.cmake

std::vector<std::string> kind_names(); // cancellation, ...; sorted

// Throws base::UserError for an unknown name, with similar ones.
const std::string& kind_page(std::string_view name);

struct PageSummary {
  std::string title;     // Cancellation
  std::string sentence;  // the first sentence
  std::string paragraph; // both without markup
};
PageSummary summary_of(const std::string& page);

} // namespace faultline::report
