// What a target is like, in a line.
#pragma once

#include "model/target.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace faultline::program {

// "x:binary64 n:int32"; what is not judged has a "-".
inline std::string text(const std::vector<model::Cell>& cells) {
  std::string all;
  for (const model::Cell& cell : cells)
    all += (all.empty() ? "" : " ") + cell.name + ":" + cell.type.name() + (cell.judged ? "" : "-");
  return all;
}

inline void expect(const model::Target& target, const std::string& inputs, const std::string& outputs) {
  EXPECT_EQ(target.unsuitable, "");
  EXPECT_EQ(text(target.inputs), inputs);
  EXPECT_EQ(text(target.outputs), outputs);
}

inline void expect_unsuitable(const model::Target& target, const std::string& part) {
  EXPECT_NE(target.unsuitable.find(part), std::string::npos) << "'" << target.unsuitable << "' does not say " << part;
}

} // namespace faultline::program
