// What faultline bound proves and finds, as one HTML file that opens from disk with no network.
#pragma once

#include "finding/bound/bound_report.h"

#include <string>

namespace faultline::report {

std::string bound_page(const finding::BoundReport& report);

} // namespace faultline::report
