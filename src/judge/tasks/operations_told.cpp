#include "judge/tasks/operations_told.h"

#include "explain/shares.h"
#include "judge/diagnosis/operation_row.h"
#include "judge/judge.h"

#include <algorithm>

namespace faultline::judge {

void tell_operations(exec::Session& session, const exec::Input& input, const exec::Run& made,
                     const OperationsWanted& wanted, const Tell& tell) {
  // Leaves are records that are not shown: some of them for each operation, and the inputs.
  const size_t brief = std::min<size_t>(largest_explained, input.size() + 8 * wanted.most + 64);
  exec::Run run = wanted.outgrown ? session.run_briefly(input, brief) : made;
  size_t rows = 0;
  const tape::Tape whole(run, session.sites(), input.size());
  for (uint32_t index = 1; index < whole.size(); ++index)
    rows += !ops::is_leaf(whole.site(index).op);
  if (whole.size() > largest_explained)
    run.records = run.records.first(brief);
  const tape::Tape tape(run, session.sites(), input.size());
  const tape::Replay& exact = wanted.analysis.exact(tape);
  const std::vector<double> errors = explain::relative_errors(tape, exact);
  const std::vector<long double> shares =
      explain::own_shares(tape, wanted.output < tape.size() ? wanted.output : 0, exact);
  size_t shown = 0;
  for (uint32_t index = 1; index < tape.size() && shown < wanted.most; ++index)
    if (!ops::is_leaf(tape.site(index).op)) {
      tell(finding::RowMessage{row_of(tape, session.target(), index, exact, errors[index], double(shares[index]))});
      ++shown;
    }
  tell(finding::RowsDone{rows, session.sites().sites.size() - runtime::first_program_site, wanted.outgrown});
}

} // namespace faultline::judge
