// The commands of a script, one after the other, and what is asserted and declared where each of them stands.
#pragma once

#include "constraint/smtlib/levels.h"
#include "constraint/smtlib/reader.h"

namespace faultline::constraint {

class Playback {
public:
  explicit Playback(Script& script) : script_(script) {}

  // The next command that wants an answer: check, get_value, get_model or reply; none at the end. A check finds its
  // assertions in the script's system.
  const Command* next();
  // Does the answer of the last check still stand? Declarations and assertions that come or go end that (section 4.1 of
  // the standard), and with it what can be said of a model.
  bool is_answered() const { return is_answered_; }
  // As a model prints them.
  std::vector<const Declared*> declared() const;

private:
  struct Level {
    size_t assertions, declared;
  };
  bool play(const Command& command);
  void pop(size_t count);
  void assert_all(const Command& check);

  Script& script_;
  size_t at_ = 0;
  std::vector<Term> assertions_;
  std::vector<size_t> declared_;
  Levels<Level> levels_;
  bool is_answered_ = false;
};

} // namespace faultline::constraint
