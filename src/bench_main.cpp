// faultline-bench: the evaluation suites. The code is in suite/.
#include "exec/worker.h"
#include "suite/bench.h"

int main(int argc, char** argv) {
  faultline::exec::fix_address_space(argv);
  return faultline::suite::run(argc, argv);
}
