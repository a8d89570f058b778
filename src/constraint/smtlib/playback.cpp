#include "constraint/smtlib/playback.h"

namespace faultline::constraint {

void Playback::pop(size_t count) {
  const Level level = levels_.pop(count);
  assertions_.resize(level.assertions);
  declared_.resize(level.declared);
}

void Playback::assert_all(const Command& check) {
  script_.system.retract_all();
  const auto add = [this](const std::vector<Term>& terms) {
    for (const Term term : terms)
      script_.system.assert_true(term);
  };
  add(script_.conditions);
  add(assertions_);
  add(check.terms);
}

// Whether it wants an answer.
bool Playback::play(const Command& command) {
  switch (command.kind) {
  case Command::Kind::declaration:
    declared_.push_back(command.count);
    return false;
  case Command::Kind::assertion:
    assertions_.push_back(command.terms[0]);
    return false;
  case Command::Kind::push:
    levels_.push(command.count, {assertions_.size(), declared_.size()});
    return false;
  case Command::Kind::pop:
    pop(command.count);
    return false;
  case Command::Kind::reset:
    assertions_.clear();
    declared_.clear();
    levels_.clear();
    return false;
  case Command::Kind::check:
    assert_all(command);
    is_answered_ = true;
    return true;
  case Command::Kind::get_value:
  case Command::Kind::get_model:
  case Command::Kind::reply:
    return true;
  }
  return false;
}

const Command* Playback::next() {
  while (at_ < script_.commands.size()) {
    const Command& command = script_.commands[at_++];
    if (play(command))
      return &command;
    is_answered_ = false;
  }
  return nullptr;
}

std::vector<const Declared*> Playback::declared() const {
  std::vector<const Declared*> all;
  for (const size_t i : declared_)
    all.push_back(&script_.declared[i]);
  return all;
}

} // namespace faultline::constraint
