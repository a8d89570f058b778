// How code tells the values of an integer apart, if that is all that it does with it (frontend/layout.h).
#pragma once

#include <cstdint>
#include <llvm/IR/Argument.h>
#include <optional>
#include <set>

namespace faultline::frontend {

struct FlagUses {
  std::set<__int128> cases;   // that it is compared with for equality, and of switches
  std::set<__int128> indices; // of tables of constants, and of bits in one
  std::set<__int128> ends;    // beside which a comparison turns
  uint64_t mask = 0;          // all bits that it is masked with

  // A table of constants that is looked up with some bits of it: the shortest.
  struct MaskedTable {
    uint64_t mask, length;
  };
  std::optional<MaskedTable> masked_table;

  bool any() const { return !cases.empty() || !indices.empty() || !ends.empty() || mask != 0; }
};

// Nothing if it is used in any other way, or not at all. `argument` is the integer of that many bits, or a pointer to
// it. Functions of the program that it is handed to are read for that.
std::optional<FlagUses> flag_uses(const llvm::Argument& argument, int bits);

} // namespace faultline::frontend
