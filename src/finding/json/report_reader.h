// A report, read finding by finding: what has been read of one is dropped before the next, so that a file of gigabytes
// takes the memory of its findings, and not that of all its JSON.
#pragma once

#include "finding/report.h"

#include <functional>
#include <istream>
#include <string>

namespace faultline::finding {

// `on_progress` is called after each finding. Throws UserError that names the place, and whatever the stream throws.
Report read_report(std::istream& stream, const std::string& name, const std::function<void()>& on_progress = {});

// From a file, or a device or pipe. Throws UserError also if it is too large.
Report load_report(const std::string& file, const std::string& hint);

} // namespace faultline::finding
