// The extents of array parameters in the words of the source: x(n) in Fortran, a[n][m] in C. Debug information has
// constants only, and which integer is the length of which array is what the names tell.
#pragma once

#include "frontend/target.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <map>
#include <string>
#include <vector>

namespace faultline::frontend {

// Of the target's arrays, if it has integers beside them and its source can be read.
void read_declared_extents(const llvm::DISubprogram& subprogram, Target& target);

// By parameter. The text begins at the line of the procedure; Fortran's names are in lower case.
using DeclaredExtents = std::map<std::string, std::vector<std::string>>;
DeclaredExtents extents_in_fortran(const std::vector<std::string>& statements);
DeclaredExtents extents_in_c(const std::string& text, const std::string& function);

} // namespace faultline::frontend
