// Functions and variables that several files of a program define. A linker refuses them, and a build links one of these
// files at a time (R's sunif.c and std_unif.c); a whole folder has all of them. Here each file keeps its own, and every
// other file uses the first.
#pragma once

#include <llvm/IR/Module.h>
#include <string>
#include <unordered_map>
#include <vector>

namespace faultline::frontend {

struct Duplicate {
  std::string name;  // as people write it
  std::string first; // the file that defined it before
};

class Definitions {
public:
  // The next file, before it is linked with those before it: what they have defined becomes private to it. Nothing is
  // read of functions that are loaded lazily.
  std::vector<Duplicate> add(llvm::Module& module, const std::string& file);

private:
  std::unordered_map<std::string, std::string> first_; // file by symbol
};

// "b.c keeps its own set_seed, which a.c defines, too: other files use that one"; empty: nothing to tell.
std::string duplicates_remark(const std::string& file, const std::vector<Duplicate>& duplicates);

} // namespace faultline::frontend
