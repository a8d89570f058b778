// Settings of single functions, in addition to the common ones: sections of a faultline.toml, or a report that recorded
// the settings of its hunt. Plain data and queries.
//
// The settings of a function are computed when the program is known: functions are selected by patterns, and settings
// for inputs that a function does not have are ignored. So they are queried per function.
#pragma once

#include "model/set_aside.h"
#include "model/settings/settings.h"
#include "model/settings/table.h"
#include "model/target.h"
#include "program/fpcore/file.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace faultline::hunt {

// A place that names an input or an output, for messages about unknown names.
struct NamedThere {
  const model::Setting* setting;
  std::string name;  // x
  std::string other; // alias: the parameter whose memory it shares
  std::string where; // faultline.toml:3:11
};

struct Section {
  std::string functions; // a name or a pattern
  model::RawSettings raw;
  std::vector<NamedThere> names;
};

struct Configuration {
  std::string file;               // relative to the current folder if it is below it
  std::vector<std::string> flags; // for the compiler; relative paths are relative to the file's folder
  std::string baseline;           // findings of an earlier hunt; empty: none
  std::string fail_on;            // a tier; empty: the default
  std::string corpus;             // folder for findings; empty: none
  std::string seen;               // record of real runs; empty: none
  model::RawSettings all;         // for all functions
  std::vector<Section> sections;  // in the order of the file
  model::RawSettings typed;       // on the command line, with the highest priority
  model::Settings usual;          // the defaults
  // Of a report: the settings of each function, and no others.
  std::optional<std::map<std::string, model::RawSettings>> recorded;
};

// Returns all settings of this function. The target may have only names and its place, because array sizes are needed
// for its layout. Throws UserError.
model::Settings settings_for(const Configuration& configuration, const model::Target& target);

// Returns the settings of all functions, without those that the file gives by function name.
model::Settings settings_of_all(const Configuration& configuration);

// Throws UserError if a setting names an input or output that the function does not have. Returns remarks about the
// names in sections for several functions: these may belong to functions in other files. `all`: these are all functions
// of the program, so a name in such a section should belong to one of them.
std::vector<std::string> check(const Configuration& configuration, std::span<const model::Target> targets, bool all);

// Settings from FPCores: ranges from :pre and the meaning from :spec. Both are defaults.

// The FPCore files of a program. Each file is parsed once for all of its functions.
class FpcoreSettings {
public:
  // Does nothing if the target is in another language or its file cannot be read.
  void apply(const model::Target& target, model::Settings& settings);

private:
  using Functions = std::map<std::pair<std::string, int>, program::fpcore::FunctionSettings>; // by name and line
  std::map<std::string, Functions> files_;
};

} // namespace faultline::hunt
