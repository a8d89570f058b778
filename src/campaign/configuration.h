// What is said of single functions, beyond the options that hold for all: by the sections of a faultline.toml, or by a
// report that recorded what applied when it was made. The command line has been taken into account: what it says wins.
//
// Options are plain data, but which ones a function has is known only when the program is: functions are chosen by
// patterns, and inputs that a function does not have are none of its business. So it is asked for, function by
// function.
#pragma once

#include "campaign/options.h"

#include <span>

namespace faultline::campaign {

class Configuration {
public:
  virtual ~Configuration() = default;

  // The target may have no more than its names and its place: the sizes of arrays are needed before it is laid out.
  virtual Options options_for(const frontend::Target& target) const = 0;

  // Throws UserError: something is said of an input or an output that the function does not have. `all`: these are all
  // functions of the program, so that a pattern must apply to one of them.
  virtual void check(std::span<const frontend::Target> targets, bool all) const = 0;

  virtual std::string file() const = 0;
  virtual std::vector<std::string> flags() const = 0; // that it adds to the compiler's
};

// The options of this function: the configuration's, if there is one.
Options options_for(const frontend::Target& target, const Options& options);

// Compiled and linked; its targets are laid out as their options say.
frontend::Program load_program(const Options& options);

// The functions that -f names, all that the program has if it names none. Throws UserError, also for what the
// configuration says of them. `callable`: an integer output will do.
std::vector<frontend::Target> targets_of(frontend::Program& program, const Options& options, bool callable = false);

} // namespace faultline::campaign
