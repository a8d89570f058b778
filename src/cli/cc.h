// faultline cc, c++ and fc. The compiler wrapper (frontend/capture/wrapper.h) is a separate program, faultline-cc, in
// the same folder as this one. All of its arguments are a compiler's, so it does not use the table of options.
#pragma once

namespace faultline::cli {

// Executes the wrapper if the first argument selects it. Must be called first, because a build waits for it a thousand
// times. Does not return if that fails.
void start_compiler_wrapper(char** argv);

} // namespace faultline::cli
