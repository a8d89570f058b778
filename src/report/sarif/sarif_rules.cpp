#include "report/sarif/sarif_rules.h"

#include "report/kind_pages.h"

#include <algorithm>
#include <cctype>

namespace faultline::report {

using finding::Finding;
using finding::Kind;
using finding::Verdict;
using Json = nlohmann::ordered_json;

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

// Of most findings of the rule.
std::string_view usual_level(std::string_view rule) {
  switch (finding::kind_of(rule).value_or(Kind::inaccuracy)) { // a class of faults is one of inaccuracies
  case Kind::inaccuracy:
  case Kind::crash:
  case Kind::exception:
  case Kind::timeout:
  case Kind::bound_violated:
    return "error";
  case Kind::underflow:
    return "note";
  default:
    return "warning";
  }
}

std::string_view severity(std::string_view level) { return level == "note" ? "recommendation" : level; }

std::string_view exception_level(const Finding& finding) {
  const bool silent = !finding.aftermath || finding.aftermath->silent();
  if (finding.aftermath && finding.aftermath->harmless)
    return "note";
  if (finding.verdict == Verdict::avoidable)
    return silent ? "error" : "warning";
  return silent ? "warning" : "note";
}

} // namespace

Json sarif_rule(std::string_view rule) {
  const std::string& page = kind_page(rule);
  const PageSummary summary = summary_of(page);
  const std::string_view level = usual_level(rule);
  return {{"id", rule},
          {"name", pascal_case(rule)},
          {"shortDescription", {{"text", summary.sentence}}},
          {"fullDescription", {{"text", summary.paragraph}}},
          {"help", {{"text", page}, {"markdown", page}}},
          {"defaultConfiguration", {{"level", level}}},
          // very-high: every finding was seen in a run of the code.
          {"properties",
           {{"tags", {"numerical", "floating-point", "correctness"}},
            {"precision", "very-high"},
            {"problem.severity", severity(level)}}}};
}

std::string_view sarif_level(const Finding& finding) {
  switch (finding.kind) {
  case Kind::crash:
  case Kind::timeout:
  case Kind::bound_violated:
    return "error";
  case Kind::exception:
    return finding.aftermath ? "note" : "error"; // by some the code refuses its input
  case Kind::inaccuracy:
    return finding.verdict == Verdict::avoidable ? "error" : finding.verdict == Verdict::unknown ? "warning" : "note";
  case Kind::branch_flip:
    return finding.verdict == Verdict::ill_conditioned ? "note" : "warning";
  default:
    return exception_level(finding);
  }
}

} // namespace faultline::report
