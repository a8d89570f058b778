// The function f of a text, and the dimensions of its space.
#pragma once

#include "../temporary_folder.h"

#include "judge/space_of_target.h"
#include "program/program.h"

#include <gtest/gtest.h>

namespace faultline::judge {

inline model::Target target_of(const std::string& text, const model::Settings& settings = {}) {
  test::TemporaryFolder folder;
  return program::Program::load({{folder.write("subject.c", text)}, {}, ""}).find({"f"}, settings.sizes).at(0);
}

inline search::Dimension dimension(const std::string& text, const std::string& name,
                                   const model::Settings& settings = {}) {
  const search::Space space = space_of(target_of(text, settings), settings);
  for (const search::Dimension& dimension : space.dimensions)
    if (dimension.name == name)
      return dimension;
  ADD_FAILURE() << "no input " << name;
  return {};
}

inline void expect_range(const search::Dimension& dimension, long double low, long double high) {
  EXPECT_EQ(dimension.low, low);
  EXPECT_EQ(dimension.high, high);
}

} // namespace faultline::judge
