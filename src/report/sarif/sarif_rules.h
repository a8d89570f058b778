// What a SARIF report says of each rule (finding::rule), and how much a finding weighs.
#pragma once

#include "finding/finding.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace faultline::report {

// A reportingDescriptor, with the rule's page as its help.
nlohmann::ordered_json sarif_rule(std::string_view rule);

// error: the code can do better, and nobody is told. warning: somebody should look. note: it is so by nature (an
// ill-conditioned problem), or nothing shows that it matters.
std::string_view sarif_level(const finding::Finding& finding);

} // namespace faultline::report
