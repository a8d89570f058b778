// Test vectors as a table for spreadsheets that `faultline vectors` reads back (docs/vectors.md).
//
// Commas and quotes follow RFC 4180. Lines that begin with # are comments. A row is one output of one vector. A call
// that did not return has one row without an output.
#pragma once

#include "finding/vectors/vector.h"

#include <string>
#include <string_view>
#include <vector>

namespace faultline::finding {

inline constexpr uint64_t most_vector_bytes = uint64_t(1) << 26; // of a file: 100,000 vectors of short inputs

std::string vectors_csv(const std::vector<VectorSet>& sets);

// Parses an untrusted file. Columns are identified by name and may be in any order. A vector may lack class and region.
// Throws UserError that names the line.
std::vector<VectorSet> parse_vectors(std::string_view text, const std::string& name);

} // namespace faultline::finding
