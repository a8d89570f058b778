// faultline cc, c++ and fc. The compiler wrapper (frontend/capture/wrapper.h) is a program of its own, faultline-cc,
// which stands beside this one; all of its arguments are a compiler's, so the table of options has no part in it.
#pragma once

namespace faultline::cli {

// Becomes the wrapper if the first argument asks for it: before anything else is done, for a build waits for it a
// thousand times. Does not return if that fails.
void start_compiler_wrapper(char** argv);

} // namespace faultline::cli
