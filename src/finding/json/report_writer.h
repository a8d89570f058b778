// A report as JSON text, written finding by finding: the text of to_json(report), with two spaces of indentation and a
// newline at its end, without ever being in memory as a whole.
#pragma once

#include "finding/problem.h"

#include <functional>
#include <string_view>

namespace faultline::finding {

using Sink = std::function<void(std::string_view)>;

void write_report(const RankedReport& report, const Sink& sink);

} // namespace faultline::finding
