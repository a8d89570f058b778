// faultline: finds the inputs on which numerical code breaks. Everything is in cli/.
#include "cli/programs/cc.h"
#include "cli/run.h"
#include "exec/address_space.h"

int main(int argc, char** argv) {
  faultline::cli::start_compiler_wrapper(argv);
  faultline::exec::fix_address_space(argv);
  return faultline::cli::run(argc, argv);
}
