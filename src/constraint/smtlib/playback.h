// The commands of a script, one after the other, and what is asserted and declared where each of them stands.
#pragma once

#include "constraint/smtlib/levels.h"
#include "constraint/smtlib/reader.h"

namespace faultline::constraint {

class Playback {
public:
  explicit Playback(Script& script) : script_(script) {}

  // The next command that wants an answer: check, get_value or get_model; none at the end. A check finds its assertions
  // in the script's system.
  const Command* next();
  // As a model prints them.
  std::vector<const Declared*> declared() const;

private:
  struct Level {
    size_t assertions, declared;
  };
  void pop(size_t count);
  void assert_all(const Command& check);

  Script& script_;
  size_t at_ = 0;
  std::vector<Term> assertions_;
  std::vector<size_t> declared_;
  Levels<Level> levels_;
};

} // namespace faultline::constraint
