// The arguments of a call, read from the registers and noted. Called by a signal handler: it allocates nothing.
#pragma once

#include "recorder/seen_file.h"

#include <ucontext.h>

namespace faultline::recorder {

// At the first instruction of a function. False if one of them cannot be read: a pointer that leads nowhere.
bool read_arguments(const ucontext_t& context, const ArgumentPlace* places, uint32_t count, long double* values);

// `random`: a number of this function's sequence, by which a tuple is kept or not (reservoir sampling).
void note(FunctionSeen& seen, const long double* values, uint32_t count, uint64_t random);

} // namespace faultline::recorder
