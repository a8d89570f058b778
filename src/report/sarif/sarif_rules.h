// What a SARIF report says of each rule: a class of problems (finding::Problem::fault).
#pragma once

#include "finding/json/json.h"

#include <string>
#include <string_view>

namespace faultline::report {

// A reportingDescriptor, with the rule's page as its help.
finding::Json sarif_rule(std::string_view rule);

// Where the documents are: FAULTLINE_HOMEPAGE of the build.
std::string homepage();

} // namespace faultline::report
