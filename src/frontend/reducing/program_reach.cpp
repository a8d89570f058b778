// The part of frontend/program.h by which versions of a function are told apart.
#include "frontend/linking.h"
#include "frontend/program.h"
#include "frontend/reading/reader_guard.h"
#include "frontend/reducing/reach_hashes.h"

namespace faultline::frontend {

std::vector<ReachHash> Program::reach_hashes(const std::vector<Target>& targets) {
  ReaderGuard guard(files_.front());
  ReachHashes hashes(asked());
  std::vector<ReachHash> all;
  for (const Target& target : targets) {
    llvm::Function* function = asked().getFunction(target.symbol);
    all.push_back(function ? hashes.of(*function) : ReachHash());
  }
  return all;
}

} // namespace faultline::frontend
