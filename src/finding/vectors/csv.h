// Test vectors as a table that spreadsheets open and `faultline vectors` reads back (docs/vectors.md).
//
// Commas and quotes as in RFC 4180. Lines that begin with # are remarks. A row is one output of one vector; a call that
// did not return has one row, without an output.
#pragma once

#include "finding/vectors/vector.h"

#include <string>
#include <string_view>
#include <vector>

namespace faultline::finding {

inline constexpr uint64_t most_vector_bytes = uint64_t(1) << 26; // of a file: 100,000 vectors of short inputs

std::string vectors_csv(const std::vector<VectorSet>& sets);

// The file may be anybody's. Columns are known by their names, and may stand in any order; of a vector that has no
// class or region nothing is assumed. Throws UserError that names the line.
std::vector<VectorSet> parse_vectors(std::string_view text, const std::string& name);

} // namespace faultline::finding
