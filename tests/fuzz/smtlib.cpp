#include "constraint/evaluate.h"
#include "constraint/smtlib/reader.h"
#include "constraint/smtlib/writer.h"
#include "targets.h"

namespace faultline::fuzz {

// A system that was read can be written and read again, and then evaluates to the same.
int fuzz_smtlib(const uint8_t* data, size_t size) {
  const constraint::System system = constraint::read_smtlib(text_of(data, size), "fuzz.smt2").system;
  const constraint::System again =
      own([&] { return constraint::read_smtlib(constraint::write_smtlib(system).text, "written.smt2").system; });
  const constraint::Model zeros(system.variables().size());
  if (constraint::satisfies(system, zeros) != constraint::satisfies(again, zeros))
    throw Broken("a system that was written and read again evaluates to something else");
  return 0;
}

} // namespace faultline::fuzz
