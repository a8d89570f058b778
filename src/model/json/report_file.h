// Reads and writes files of reports finding by finding. The JSON of a finding is freed before the next, so that a file
// of gigabytes takes only the memory of its findings.
#pragma once

#include "model/json/fields.h"
#include "model/problem.h"

#include <functional>
#include <istream>
#include <string>

namespace faultline::model {

// Writes the text of to_json(report). With an indentation other than -1 it has line breaks, also at its end.
void write_report(const RankedReport& report, const Sink& sink, int indentation = 2);

// `on_progress` is called after each finding. Throws UserError that names the place, and exceptions of the stream.
Report read_report(std::istream& stream, const std::string& name, const std::function<void()>& on_progress = {});

// Loads a file, device or pipe. Throws UserError also if it is too large.
Report load_report(const std::string& file, const std::string& hint);

} // namespace faultline::model
