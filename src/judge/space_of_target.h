// From settings to the input space of one target, and to the outputs that are judged.
#pragma once

#include "finding/settings/settings.h"
#include "search/space.h"

namespace faultline::judge {

// Floats range over all finite values of their format, integers over a small range, or the values of a flag; a
// parameter that says how long an array is is held at that length, a stride at 1 (judge/arrays/lengths.h). --range,
// --format and --hold say otherwise.
search::Space space_of(const frontend::Target& target, const finding::Settings& settings);

// An end of a dimension's range, in decimal.
std::string range_end(long double value, const search::Dimension& dimension);

// What the type of an integer holds.
finding::Range range_of_type(const frontend::Type& type);

// Is its range one that nobody gave and nothing tells: that of an integer? The user is to know of it.
bool is_assumed(const frontend::Cell& cell, const frontend::Target& target, const finding::Settings& settings);

// Has somebody said what values it has: --range or --hold?
bool is_given(const frontend::Cell& cell, const finding::Settings& settings);

// Indices into the target's outputs. Throws UserError if --output names none.
std::vector<size_t> judged_outputs(const frontend::Target& target, const finding::Settings& settings);

// Throws UserError for a name in --range, --format, --hold, --size or --output that no target has, and for a range of
// an integer that its type does not have.
void check_names(const std::vector<frontend::Target>& targets, const finding::Settings& settings);

} // namespace faultline::judge
