// What is said of single functions, beyond what holds for all: by the sections of a faultline.toml, or by a report that
// recorded what applied when it was made. Plain data, and what can be asked of it.
//
// Which settings a function has is known only when the program is: functions are chosen by patterns, and inputs that a
// function does not have are none of its business. So it is asked for, function by function.
#pragma once

#include "finding/set_aside.h"
#include "finding/settings/settings.h"
#include "finding/settings/table.h"
#include "frontend/fpcore/file.h"
#include "frontend/target.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
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

// What a file of FPCores says of a function beside its code: ranges by :pre, the meaning by :spec. Both are defaults.

// The FPCore files of a program. Each file is parsed once, however many functions it has.
class FpcoreSettings {
public:
  // Does nothing if the target is of another language, or if its file cannot be read (any more).
  void apply(const frontend::Target& target, Settings& settings);

private:
  using Functions = std::map<std::pair<std::string, int>, frontend::fpcore::FunctionSettings>; // by name and line
  std::map<std::string, Functions> files_;
};

// What a function means, in a comment directly before it:
//
//   // faultline: means sqrt(x + 1) - sqrt(x)
//   double difference(double x) {
//
// in // and /* */ and after Fortran's !, alone in a line. Other comments, attributes, a template's head and the type of
// the result may stand between; an empty line or other code may not. Several such lines speak of several outputs:
// means .OUTPUT=EXPRESSION.

// What is said, in the order of the lines, as --means has it.
std::vector<std::string> meaning_comments(SourceText& source, const frontend::Target& target);

} // namespace faultline::finding
