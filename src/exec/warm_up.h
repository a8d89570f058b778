// LLVM sets much up when it is first used: tables of the processor, registries of passes, thousands of symbols that the
// dynamic linker binds one by one. Done in the supervisor before it forks, workers inherit it.
#pragma once

namespace faultline::exec {

// Instruments and compiles a function of our own, and runs nothing.
void warm_up();

} // namespace faultline::exec
