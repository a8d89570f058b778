// faultline.toml: the options of the command line, for all functions at its top, for some in sections
//
//   threshold = 1e-6
//   [function."gsl_sf_*"]        # a name or a pattern, as the shell has them
//   range = { x = "0:1e3" }
//
// Three keys stand at the top only: flags, baseline = "FILE.json" and corpus = "DIR". Later sections win over earlier
// ones, sections over the top, the command line over all. Every value is read by what reads the option on the command
// line (finding/settings), so that the two cannot come to differ; it is read at once, when its place is still known:
// whatever is wrong becomes a UserError that begins with file:line:column.
#pragma once

#include "finding/settings/configuration.h"

#include <string>
#include <vector>

namespace faultline::cli {

// Throws UserError: no such file, too large, not TOML, or not what is described above.
finding::Configuration read_configuration(const std::string& path);

// The file that applies to these sources: the one that --config names, or else the nearest faultline.toml upwards;
// empty if there is none. Throws UserError if the sources have different ones: the options of a program are one set.
// And if a stranger owns it: somebody else's file in /tmp must not choose our compiler's flags. A stranger is neither
// the user nor root nor the owner of the source.
std::string configuration_for(const std::vector<std::string>& sources, const finding::Said& said);

} // namespace faultline::cli
