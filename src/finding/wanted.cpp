#include "finding/wanted.h"

namespace faultline::finding {

bool is_wanted(Kind kind, const Wanted& wanted) {
  switch (kind) {
  case Kind::crash:
  case Kind::timeout:
  case Kind::exception:
    return wanted.crashes;
  case Kind::branch_flip:
    return wanted.branches;
  case Kind::bound_violated:
    return wanted.bound;
  case Kind::inaccuracy:
    return wanted.error;
  default:
    return wanted.exceptions;
  }
}

} // namespace faultline::finding
