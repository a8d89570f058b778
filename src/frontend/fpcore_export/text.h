// FPCore as text, and the values that it names.
#pragma once

#include <llvm/IR/Value.h>
#include <set>
#include <string>

namespace faultline::frontend::fpcore {

struct Text {
  std::string text;
  std::set<const llvm::Value*> uses = {}; // values that it has by their names
  int depth = 0;                          // of parentheses

  Text& operator+=(const Text& other) {
    text += other.text;
    uses.insert(other.uses.begin(), other.uses.end());
    depth = std::max(depth, other.depth);
    return *this;
  }
};

inline Text operator+(Text a, const Text& b) { return a += b; }
inline Text operator+(Text a, const char* b) { return a += Text{b}; }

} // namespace faultline::frontend::fpcore
