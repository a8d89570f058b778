// faultline: finds inputs on which numerical code fails. The code is in cli/.
#include "cli/command_line.h"
#include "exec/worker.h"

int main(int argc, char** argv) {
  faultline::cli::start_compiler_wrapper(argv);
  faultline::exec::fix_address_space(argv);
  return faultline::cli::run(argc, argv);
}
