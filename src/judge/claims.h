// Claims: outputs that say how large the error of another output is at most, as GSL's gsl_sf_result.err does of .val.
#pragma once

#include "finding/settings/settings.h"
#include "frontend/target.h"
#include "tape/residue.h"

namespace faultline::judge {

// The ones that --bound names, or else the outputs that discovery takes for error estimates (a field `err`). A field of
// a struct speaks of the struct's judged fields, any other output of all that are judged.
std::vector<tape::Claim> claims_of(const frontend::Target& target, const finding::Settings& settings,
                                   const std::vector<size_t>& judged);

// Does --bound name this output?
bool is_named_bound(const frontend::Cell& cell, const finding::Settings& settings);

} // namespace faultline::judge
