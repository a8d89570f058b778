#include "report/sarif/sarif_rules.h"

#include "finding/finding.h"
#include "finding/json/json.h"
#include "report/kind_pages.h"

#include <cctype>
#include <fmt/format.h>

namespace faultline::report {

using finding::Kind;
using Json = finding::Json;

namespace {

// intermediate-overflow: IntermediateOverflow
std::string pascal_case(std::string_view rule) {
  std::string name;
  bool begins = true;
  for (const char c : rule) {
    if (c != '-')
      name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = c == '-';
  }
  return name;
}

std::string_view severity(std::string_view level) { return level == "note" ? "recommendation" : level; }

} // namespace

Json sarif_rule(std::string_view rule) {
  const std::string& page = kind_page(rule);
  const PageSummary summary = summary_of(page);
  // A class of faults is one of inaccuracies.
  const std::string_view level = info(finding::kind_of(rule).value_or(Kind::inaccuracy)).level;
  return {{"id", rule},
          {"name", pascal_case(rule)},
          {"shortDescription", {{"text", summary.sentence}}},
          {"fullDescription", {{"text", summary.paragraph}}},
          {"helpUri", fmt::format("{}/kinds/{}.md", homepage(), rule)},
          {"help", {{"text", page}, {"markdown", page}}},
          {"defaultConfiguration", {{"level", level}}},
          // very-high: every problem was seen in a run of the code.
          {"properties",
           {{"tags", {"numerical", "floating-point", "correctness"}},
            {"precision", "very-high"},
            {"problem.severity", severity(level)}}}};
}

std::string homepage() { return FAULTLINE_HOMEPAGE; }

} // namespace faultline::report
