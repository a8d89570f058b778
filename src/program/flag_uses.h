// How code distinguishes the values of an integer, if it has no other use (program/layout.h).
#pragma once

#include <cstdint>
#include <llvm/IR/Argument.h>
#include <optional>
#include <set>

namespace faultline::program {

struct FlagUses {
  std::set<__int128> cases;   // constants that it is compared with for equality, and cases of switches
  std::set<__int128> indices; // of tables of constants, and of bits in a constant
  std::set<__int128> ends;    // values next to which a comparison changes
  uint64_t mask = 0;          // all bits that it is masked with

  // The shortest table of constants that is indexed with some of its bits.
  struct MaskedTable {
    uint64_t mask, length;
  };
  std::optional<MaskedTable> masked_table;

  bool any() const { return !cases.empty() || !indices.empty() || !ends.empty() || mask != 0; }
};

// Returns nothing if it is used in any other way, or not at all. `argument` is the integer of that many bits, or a
// pointer to it. Reads the functions of the program that receive it.
std::optional<FlagUses> flag_uses(const llvm::Argument& argument, int bits);

} // namespace faultline::program
