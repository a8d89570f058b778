// Findings as JSON: the format of docs/json.md for scripts, and of messages from a worker to its supervisor.
//
// The order of keys is fixed, so that equal reports are equal files. Unknown keys are skipped, because a later version
// may have added them. An infinite measure is written as the largest double, so that scripts can compare it, and read
// back as infinity. An undefined one is null.
#pragma once

#include "model/bound_report.h"
#include "model/json/fields.h"
#include "model/problem.h"
#include "model/report.h"

#include <string>
#include <string_view>

namespace faultline::model {

template <> void Value::carry(Kind& kind) const;
template <> void Value::carry(Tier& tier) const;
template <>
void Value::carry(std::vector<NamedNumber>& input) const; // the cells of an array are one list under its name
template <> void Fields::list(Output& output);
template <> void Fields::list(Error& error);
template <> void Fields::list(InputRange& range);
template <> void Fields::list(Largest& largest);
template <> void Fields::list(Finding& finding);
template <> void Fields::list(Plots& plots);
template <> void Fields::list(FoundExtent& array);
template <> void Fields::list(FoundExtents& found);
template <> void Fields::list(Problem& problem); // written only: problems follow from findings
template <> void Fields::list(TargetReport& target);
template <> void Fields::list(ReadConfiguration& configuration);
template <> void Fields::list(Report& report);       // without its problems
template <> void Fields::list(RankedReport& ranked); // written only

Json to_json(const Report& report); // with its problems

// Parse text. `name` is the file's name in messages. They throw UserError.
Finding parse_finding(std::string_view text, const std::string& name);
TargetReport parse_target(std::string_view text, const std::string& name);
Report parse_report(std::string_view text, const std::string& name); // files: model/json/report_file.h

// Bounds, maps and proofs as JSON. A box is { "x": [LO, HI], ... }, or, without names, a list of such pairs.

// In the order of the target's inputs.
using InputNames = std::vector<std::string>;

void carry_box(const Value& value, BoxEnds& box, const InputNames& names = {});
void carry_map(const Value& value, SafetyMap& map, const InputNames& names = {});
void carry_proof(const Value& value, Proof& proof, const InputNames& names = {});

Json to_json(const BoxEnds& box, const InputNames& names);
Json to_json(const SafetyMap& map, const InputNames& names);

template <> void Fields::list(Proof& proof);
template <> void Fields::list(Bounds& bounds);

} // namespace faultline::model
