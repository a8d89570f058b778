// Files of reports, written and read finding by finding: what has been read of one is dropped before the next, so that
// a file of gigabytes takes the memory of its findings, and not that of all its JSON.
#pragma once

#include "finding/json/fields.h"
#include "finding/problem.h"

#include <functional>
#include <istream>
#include <string>

namespace faultline::finding {

// The text of to_json(report). With an indentation other than -1 it has lines, and a line break at its end.
void write_report(const RankedReport& report, const Sink& sink, int indentation = 2);

// `on_progress` is called after each finding. Throws UserError that names the place, and whatever the stream throws.
Report read_report(std::istream& stream, const std::string& name, const std::function<void()>& on_progress = {});

// From a file, or a device or pipe. Throws UserError also if it is too large.
Report load_report(const std::string& file, const std::string& hint);

} // namespace faultline::finding
