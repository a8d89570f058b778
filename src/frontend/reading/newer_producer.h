// LLVM reads the bitcode of older versions and not of newer ones. Who wrote a file that cannot be read, and what to
// make it with instead.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <string>

namespace faultline::frontend {

// `complaint`: of LLVM's reader. `content`: of the file.
std::string producer_advice(const std::string& complaint, llvm::StringRef content);

} // namespace faultline::frontend
