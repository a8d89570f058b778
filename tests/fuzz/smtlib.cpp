#include "constraint/evaluate.h"
#include "constraint/smtlib/printing.h"
#include "smtlib_writer.h"
#include "targets.h"

namespace faultline::fuzz {

namespace {

// Every answer that the script asks for, as if all values were zero.
void play(constraint::Script& script) {
  constraint::Playback playback(script);
  const constraint::Model zeros(script.system.variables().size());
  for (const constraint::Command* command = playback.next(); command; command = playback.next())
    if (command->kind == constraint::Command::Kind::check)
      constraint::satisfies(script.system, zeros);
    else if (command->kind == constraint::Command::Kind::get_value)
      constraint::values_text(script, *command, zeros);
    else if (command->kind == constraint::Command::Kind::get_model)
      constraint::model_text(script, playback, zeros);
}

} // namespace

// A system that was read can be written and read again, and then evaluates to the same. What SMT-LIB leaves open are
// variables more, without influence.
int fuzz_smtlib(const uint8_t* data, size_t size) {
  constraint::Script script = constraint::read_smtlib(text_of(data, size), "fuzz.smt2");
  const constraint::System system = script.system;
  own([&] {
    play(script);
    return 0;
  });
  const constraint::System again =
      own([&] { return constraint::read_smtlib(constraint::write_smtlib(system).text, "written.smt2").system; });
  const constraint::Model zeros(system.variables().size());
  const constraint::Model more(again.variables().size());
  if (constraint::satisfies(system, zeros) != constraint::satisfies(again, more))
    throw Broken("a system that was written and read again evaluates to something else");
  return 0;
}

} // namespace faultline::fuzz
