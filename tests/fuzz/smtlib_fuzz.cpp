// Feeds libFuzzer's bytes to the reader of SMT-LIB scripts. Whatever they are, the reader gives a system or a
// UserError; and a system that was read can be written and read again, and then evaluates to the same.
//
//   cmake --preset release -B build/fuzz -DFAULTLINE_FUZZ=ON && ninja -C build/fuzz smtlib_fuzz
//   mkdir -p corpus && build/fuzz/bin/smtlib_fuzz corpus SEEDS -max_total_time=600 -max_len=20000
//
// SEEDS is a folder of small scripts, such as public problems.
#include "constraint/evaluate.h"
#include "constraint/smtlib_reader.h"
#include "constraint/smtlib_writer.h"
#include "frontend/error.h"

#include <cstdlib>

namespace constraint = faultline::constraint;

namespace {

void check_writing(const constraint::System& system) {
  const constraint::Written written = constraint::write_smtlib(system);
  const constraint::System again = constraint::read_smtlib(written.text, "written").system; // no error may come
  const constraint::Model zeros(system.variables().size());
  if (constraint::satisfies(system, zeros) != constraint::satisfies(again, zeros))
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constraint::Script script;
  try {
    script = constraint::read_smtlib({reinterpret_cast<const char*>(data), size}, "fuzz.smt2");
  } catch (const faultline::frontend::UserError&) {
    return 0;
  }
  check_writing(script.system);
  return 0;
}
