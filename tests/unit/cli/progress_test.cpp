#include "cli/progress.h"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>

namespace faultline::cli {
namespace {

// What a display writes for a progress every `step` seconds.
std::string shown(ProgressMode mode, double step, int count) {
  std::FILE* stream = std::tmpfile();
  {
    ProgressDisplay display(mode, stream);
    for (int i = 1; i <= count; ++i)
      display.update({"foo", 1, 2, 1000, 3, 4, i * step, 7.99e-4, "foo, foo.c:4"});
  }
  std::string text(static_cast<size_t>(std::ftell(stream)), ' ');
  std::rewind(stream);
  EXPECT_EQ(std::fread(text.data(), 1, text.size(), stream), text.size());
  std::fclose(stream);
  return text;
}

TEST(Progress, LiveLineIsRareEnoughAndCleared) {
  const std::string text = shown(ProgressMode::live, 0.01, 100);
  EXPECT_LE(std::ranges::count(text, '\r'), 11);
  EXPECT_GE(std::ranges::count(text, '\r'), 8);
  EXPECT_EQ(std::ranges::count(text, '\n'), 0);
  EXPECT_TRUE(text.ends_with("\r\033[K"));
}

TEST(Progress, PlainLinesComeEveryFewSeconds) {
  EXPECT_EQ(shown(ProgressMode::plain, 0.25, 8), "") << "a short hunt is silent";
  EXPECT_EQ(
      shown(ProgressMode::plain, 0.5, 12),
      "faultline: 5.0 s, 1 of 2 functions, 1000 evaluations (200/s), 3 of 4 sites reached, worst 7.99e-04 in foo, "
      "foo.c:4, now in foo\n");
  EXPECT_EQ(shown(ProgressMode::silent, 1, 100), "");
}

} // namespace
} // namespace faultline::cli
