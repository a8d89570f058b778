// The signatures of a file of code, made by faultline where nobody has asked for them yet. They lie in the folder of
// the recording, under the identity of the file, so that a thousand processes of one program ask once.
#pragma once

#include "recorder/signatures.h"

#include <cstddef>

namespace faultline::recorder {

// `name`: that of their file, without the folder. No functions if they cannot be made.
Signatures signatures_of(const char* path, const char* folder, const char* program, char* name, size_t name_bytes);

} // namespace faultline::recorder
