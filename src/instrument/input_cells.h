// Which integers of the program are integer inputs of the target.
//
// The driver (frontend/driver.h) loads every scalar parameter from its cell of the argument block. An integer is an
// input if it comes from such a load, or from one through a pointer into the block that is only read, by conversions
// that keep its value whatever it is: a sign or zero extension of the right kind, and parameters of functions that are
// called with that input everywhere. A truncation could lose digits, so it is none.
#pragma once

#include "frontend/target.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <optional>
#include <span>

namespace faultline::instrument {

class InputCells {
public:
  InputCells(const llvm::Module& module, std::span<const frontend::Cell> inputs);

  // The index of the input that this integer is, when read as signed or unsigned; -1 if it is none.
  int input(const llvm::Value& value, bool as_signed) const;

private:
  struct Found {
    int cell;
    bool is_signed; // how to read the bits for the input's value
    bool spare;     // as neither sign nor zero extension changed it, the other reading would do as well

    bool operator==(const Found&) const = default;
  };
  std::optional<Found> find(const llvm::Value& value, int depth) const;
  std::optional<Found> loaded(const llvm::LoadInst& load, int depth) const;
  std::optional<uint64_t> block_offset(const llvm::Value& pointer, int depth) const;

  const llvm::Function* driver_;
  std::span<const frontend::Cell> inputs_;
};

} // namespace faultline::instrument
