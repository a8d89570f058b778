// The instrumentation of a recording twin: each function that can be tested notes its arguments when it is entered.
//
//   double f(double x)        if (++f.calls > f.next) { slots[0] = x; faultline_record_call(&f, slots); }
#pragma once

#include <llvm/IR/Module.h>

namespace faultline::run {

// Adds the hooks. The module must be materialized, with its debug information.
void add_call_hooks(llvm::Module& module);

} // namespace faultline::run
