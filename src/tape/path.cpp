#include "tape/path.h"

namespace faultline::tape {
namespace {

Branch branch_at(const Tape& tape, uint32_t index) {
  const Record& record = tape.record(index);
  return {index, record.site, int64_t(record.result.bits)};
}

} // namespace

std::vector<Branch> path(const Tape& tape) {
  std::vector<Branch> branches;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (ops::is_decision(tape.site(index).op))
      branches.push_back(branch_at(tape, index));
  return branches;
}

uint64_t path_hash(const Tape& tape) {
  uint64_t hash = 0;
  for (const Branch& branch : path(tape))
    hash = runtime::extend_path(hash, {branch.site, branch.outcome});
  return hash;
}

std::optional<Divergence> divergence(const Tape& tape, std::span<const runtime::Decision> lifted) {
  size_t next = 0;
  for (uint32_t index = 1; index < tape.size() && next < lifted.size(); ++index) {
    if (const ops::Op op = tape.site(index).op; !ops::is_decision(op) || op == ops::Op::decide)
      continue;
    const Branch branch = branch_at(tape, index);
    const runtime::Decision& other = lifted[next++];
    if (other.site != branch.site || other.outcome != branch.outcome)
      return Divergence{branch, other.outcome};
  }
  return std::nullopt;
}

} // namespace faultline::tape
