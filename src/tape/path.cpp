#include "tape/path.h"

namespace faultline::tape {

std::vector<Branch> path(const Tape& tape) {
  std::vector<Branch> branches;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (ops::is_comparison(tape.site(index).op))
      branches.push_back({index, tape.record(index).site, tape.record(index).result.bits != 0});
  return branches;
}

uint64_t path_hash(const Tape& tape) {
  uint64_t hash = 0;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (ops::is_comparison(tape.site(index).op))
      hash = runtime::extend_path(hash, tape.record(index).site, tape.record(index).result.bits != 0);
  return hash;
}

std::optional<Branch> divergence(const Tape& tape, std::span<const runtime::Decision> lifted) {
  size_t next = 0;
  for (uint32_t index = 1; index < tape.size() && next < lifted.size(); ++index) {
    if (!ops::is_comparison(tape.site(index).op))
      continue;
    const Record& record = tape.record(index);
    const bool outcome = record.result.bits != 0;
    const runtime::Decision& other = lifted[next++];
    if (other.site != record.site || other.outcome != outcome)
      return Branch{index, record.site, outcome};
  }
  return std::nullopt;
}

} // namespace faultline::tape
