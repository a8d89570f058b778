// The cells of a value that is more than one scalar: of a struct, and of what is returned in registers.
#pragma once

#include "frontend/most_cells.h"
#include "frontend/target.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DerivedTypes.h>
#include <string>
#include <vector>

namespace faultline::frontend {

// An output of this name (err, abserr, x_err) tells how wrong another is: it is not judged itself.
bool is_error_estimate(std::string name);

// The floats of a value returned in registers.
bool ir_cells(llvm::Type* type, const llvm::DataLayout& layout, uint64_t offset, std::vector<Cell>& cells);

// The scalars of a struct; false if there is anything else in it.
bool field_cells(const llvm::DICompositeType& fields, const std::string& prefix, uint64_t offset,
                 std::vector<Cell>& cells);

} // namespace faultline::frontend
