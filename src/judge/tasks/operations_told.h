// The operations of a run that is explained, one message each.
#pragma once

#include "exec/session.h"
#include "judge/diagnosis/analysis.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

struct OperationsWanted {
  Analysis& analysis;
  uint32_t output = 0;   // the record of the output whose error is shared out; 0: none
  bool outgrown = false; // the run has more operations than a tape holds: it is made again, briefly
  size_t most = 0;
};

// Of a run that is too long to carry it out in high precision, the first ones.
void tell_operations(exec::Session& session, const exec::Input& input, const exec::Run& made,
                     const OperationsWanted& wanted, const Tell& tell);

} // namespace faultline::judge
