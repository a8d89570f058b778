// What is said of single functions, beyond what holds for all: by the sections of a faultline.toml, or by a report that
// recorded what applied when it was made. Plain data, and what can be asked of it.
//
// Which settings a function has is known only when the program is: functions are chosen by patterns, and inputs that a
// function does not have are none of its business. So it is asked for, function by function.
#pragma once

#include "finding/settings/table.h"
#include "frontend/target.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace faultline::finding {

// Where an input or an output is named, for those that the function turns out not to have.
struct NamedThere {
  const Setting* setting;
  std::string name;  // x
  std::string other; // alias: whose memory it shares
  std::string where; // faultline.toml:3:11
};

struct Section {
  std::string functions; // a name or a pattern
  Said said;
  std::vector<NamedThere> names;
};

struct Configuration {
  std::string file;               // relative to the current folder if it lies below it
  std::vector<std::string> flags; // for the compiler; relative paths in them are relative to the file's folder
  std::string baseline;           // findings of an earlier hunt; empty: none
  std::string fail_on;            // a tier; empty: the usual one
  std::string corpus;             // where findings are kept; empty: nowhere
  std::string seen;               // what real runs were like; empty: nobody knows
  Said all;                       // for all functions
  std::vector<Section> sections;  // in the order of the file
  Said typed;                     // on the command line: it wins
  Settings usual;                 // what holds where nothing is said
  // Of a report: what applied to each function, and nothing else does.
  std::optional<std::map<std::string, Said>> recorded;
};

// All that is said of this function. The target may have no more than its names and its place: the sizes of arrays are
// needed before it is laid out. Throws UserError.
Settings settings_for(const Configuration& configuration, const frontend::Target& target);

// What holds for all functions, but for what the file says by name: that is a matter of each function.
Settings settings_of_all(const Configuration& configuration);

// Throws UserError: something is said of an input or an output that the function does not have. `all`: these are all
// functions of the program, so that a pattern must apply to one of them.
void check(const Configuration& configuration, std::span<const frontend::Target> targets, bool all);

} // namespace faultline::finding
