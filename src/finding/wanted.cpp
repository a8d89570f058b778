#include "finding/wanted.h"

namespace faultline::finding {

bool is_wanted(Kind kind, const Wanted& wanted) {
  if (is_ending(kind))
    return wanted.crashes;
  if (is_exception(kind))
    return wanted.exceptions;
  return kind == Kind::branch_flip ? wanted.branches : kind == Kind::bound_violated ? wanted.bound : wanted.error;
}

} // namespace faultline::finding
