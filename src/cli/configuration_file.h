// faultline.toml: the options of the command line, for all functions at its top, for some in sections
//
//   threshold = 1e-6
//   [function."gsl_sf_*"]        # a name or a pattern, as the shell has them
//   range = { x = "0:1e3" }
//
// Three keys stand at the top only: flags, baseline = "FILE.json" and corpus = "DIR". Later sections win over earlier
// ones, sections over the top, the command line over all. Every value is read by what reads the option on the command
// line (cli/options.h), so that the two cannot come to differ; it is read at once, when its place is still known:
// whatever is wrong becomes a UserError that begins with file:line:column.
#pragma once

#include "cli/arguments.h"

#include <string>
#include <vector>

namespace faultline::cli {

// Where an input or an output is named, for those that the function turns out not to have.
struct NamedThere {
  const Setting* setting;
  std::string name;  // x
  std::string other; // alias: whose memory it shares
  std::string where; // faultline.toml:3:11
};

struct Section {
  std::string functions; // a name or a pattern
  Arguments settings;
  std::vector<NamedThere> names;
};

struct ConfigurationFile {
  std::string path;               // relative to the current folder if it lies below it
  std::vector<std::string> flags; // for the compiler; relative paths in them are relative to the file's folder
  std::string baseline;           // findings of an earlier hunt; empty: none
  std::string corpus;             // where findings are kept; empty: nowhere
  Arguments all;
  std::vector<Section> sections; // in the order of the file
};

// Throws UserError: no such file, too large, not TOML, or not what is described above.
ConfigurationFile read_configuration(const std::string& path);

// The file that applies to these sources: the one that --config names, or else the nearest faultline.toml upwards;
// empty if there is none. Throws UserError if the sources have different ones: the options of a program are one set.
// And if a stranger owns it: somebody else's file in /tmp must not choose our compiler's flags. A stranger is neither
// the user nor root nor the owner of the source.
std::string configuration_for(const std::vector<std::string>& sources, const Arguments& arguments);

} // namespace faultline::cli
