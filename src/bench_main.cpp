// faultline-bench: the evaluation suites. Everything is in suite/.
#include "exec/address_space.h"
#include "suite/run.h"

int main(int argc, char** argv) {
  faultline::exec::fix_address_space(argv);
  return faultline::suite::run(argc, argv);
}
