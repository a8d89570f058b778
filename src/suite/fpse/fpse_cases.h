// The two case studies of FPSE's evaluation (ICST 2013), re-created: the papers name the functions and tell the sizes
// of their paths, not the code. Each path here is one of a C function in examples/fpse, statement for statement.
#pragma once

#include "suite/fpse/fpse_path.h"

#include <string>

namespace faultline::suite {

// examples/fpse/dichotomic.c, unrolled: `depth` turns of the loop, each to the left, so that the lower end stays and
// the step is halved. Both ends and the level are inputs that nothing bounds. What bounds them is that the last step is
// small and not zero: near a large float there is no such step. Filtering by ULP-max knows, intervals do not.
enum class DichotomicPath {
  found,    // feasible
  too_large // the result lies beyond the range of the curve: infeasible
};
inline constexpr int deepest_dichotomic = 12;
Path dichotomic(int depth, DichotomicPath which);

// examples/fpse/tcas_task.c: three decisions with three outcomes each.
inline constexpr int tcas_paths = 27;
Path tcas(int number); // from 0
std::string tcas_name(int number);

} // namespace faultline::suite
