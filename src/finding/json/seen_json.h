// The file of `faultline record`, written and read (docs/getting-your-code-in.md).
#pragma once

#include "finding/settings/seen.h"

#include <string>
#include <string_view>

namespace faultline::finding {

inline constexpr uint64_t most_seen_bytes = 256u << 20; // of the file: a hundred thousand functions

std::string seen_text(const SeenRuns& runs);
// Throws UserError that names the place. `name` is that of the file.
SeenRuns parse_seen(std::string_view text, const std::string& name);

} // namespace faultline::finding
