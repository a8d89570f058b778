// The seven programs of FPSE's "selected experimental results" (slides of ICST 2013), each in single and in double,
// with the results that the authors expect and those that FPSE gave.
#pragma once

#include "suite/fpse/fpse_path.h"

#include <string>
#include <vector>

namespace faultline::suite {

// As printed on the slide: digits may be cut off.
struct Published {
  enum class Kind {
    infeasible,
    value,  // the one value there is
    member, // one of several
    ends    // of all values
  };
  Kind kind = Kind::infeasible;
  std::string least, greatest; // the same but for `ends`
};
std::string text(const Published& published);

struct FpseProgram {
  std::string name, formula;
  void (*build)(Path& path); // path.result() is the value that is asked for
  struct {
    Published expected, fpse;
  } in_single, in_double;
};

const std::vector<FpseProgram>& fpse_programs();

} // namespace faultline::suite
