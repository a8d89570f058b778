// The targets of a text.
#pragma once

#include "../temporary_folder.h"
#include "expect_target.h"
#include "program/program.h"

#include <gtest/gtest.h>

namespace faultline::program {

inline std::vector<model::Target> targets_of(const std::string& text, const std::string& ending = ".c",
                                             const model::Sizes& sizes = {}) {
  test::TemporaryFolder folder;
  Sources sources{{folder.write("subject" + ending, text)}, {}, ""};
  sources.shapes_of = [&](const model::Target&) { return model::Shapes{sizes, {}}; };
  return Program::load(sources).targets(sizes);
}

inline model::Target target_of(const std::string& text, const std::string& ending = ".c",
                               const model::Sizes& sizes = {}) {
  auto all = targets_of(text, ending, sizes);
  EXPECT_EQ(all.size(), 1u);
  return all.at(0);
}

} // namespace faultline::program
