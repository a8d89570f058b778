// Fused operations as GCC makes them.
//
// GCC fuses a product with the sums that use it, over statements, unless flags forbid it (-ffp-contract, -std=c11);
// clang fuses within an expression. The bitcode of a build by GCC comes from clang, so its twin would round otherwise
// than the build does. This repeats GCC's rule (convert_mult_to_fma in tree-ssa-math-opts.cc): all uses of the product
// are sums, in the block of the product.
#pragma once

#include "program/capture/section.h"

#include <llvm/IR/Module.h>
#include <vector>

namespace faultline::run {

// Fuses in the functions of sources that GCC has compiled for a processor with fused operations.
void contract_as_gcc(llvm::Module& module, const std::vector<program::Record>& records);

} // namespace faultline::run
