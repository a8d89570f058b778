// The targets of a text.
#pragma once

#include "../temporary_folder.h"
#include "expect_target.h"
#include "frontend/program.h"

#include <gtest/gtest.h>

namespace faultline::frontend {

inline std::vector<Target> targets_of(const std::string& text, const std::string& ending = ".c",
                                      const Sizes& sizes = {}) {
  test::TemporaryFolder folder;
  Sources sources{{folder.write("subject" + ending, text)}, {}, ""};
  sources.shapes_of = [&](const Target&) { return Shapes{sizes, {}}; };
  return Program::load(sources).targets(sizes);
}

inline Target target_of(const std::string& text, const std::string& ending = ".c", const Sizes& sizes = {}) {
  auto all = targets_of(text, ending, sizes);
  EXPECT_EQ(all.size(), 1u);
  return all.at(0);
}

} // namespace faultline::frontend
