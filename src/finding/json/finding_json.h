// Findings as JSON: the format that docs/json.md promises to scripts, and what a worker sends to its supervisor.
//
// Writing keeps the order of the keys, so that equal reports are equal files. Reading trusts nothing: a file may have
// been cut off, edited or made by another program, and whatever is wrong becomes a UserError that names the place
// (targets[0].findings[2].kind) and what was expected there. Keys that are unknown are skipped: a later version may
// have added them. JSON has no infinity: an infinite measure is written as the largest double, so that scripts can
// compare it like any other, and read back as infinity; an undefined one is null.
#pragma once

#include "finding/json/json.h"
#include "finding/report.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace faultline::finding {

inline constexpr int json_schema = 1;

// The cells A[0], A[1], ... of an array become one list under "A"; reading makes cells of it again.
Json input_to_json(const std::vector<NamedNumber>& input);
Json to_json(const Output& output);
Json to_json(const Error& error);
Json to_json(const InputRange& range);
Json to_json(const Share& share);
Json to_json(const Largest& largest);
Json to_json(const Finding& finding);
Json target_head(const TargetReport& target); // all but its findings, which come last
Json to_json(const TargetReport& target);
Json report_head(const Report& report); // all but targets and problems
Json to_json(const Report& report);

// The text, in one line, or with an indentation. Bytes that are not UTF-8 (in a file's name, say) are replaced.
std::string json_text(const Json& json, int indentation = -1);

// Throw frontend::UserError.
class Place;
Finding finding_at(const Place& place);
InputRange input_range_at(const Place& place);
Largest largest_at(const Place& place);
Finding finding_from_json(const Json& json);
TargetReport target_at(const Place& place);
TargetReport target_from_json(const Json& json);
Report report_from_json(const Json& json);

// From text. `name` is that of the file, for messages.
Finding parse_finding(std::string_view text, const std::string& name);
TargetReport parse_target(std::string_view text, const std::string& name);
Report parse_report(std::string_view text, const std::string& name); // files: finding/json/report_reader.h

} // namespace faultline::finding
