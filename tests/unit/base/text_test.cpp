#include "base/text.h"

#include <gtest/gtest.h>

namespace faultline::base {
namespace {

TEST(Printable, KeepsTextOfAllLanguages) {
  const std::string text = "a + b \xC3\xBC \xE2\x88\x91 \xF0\x9F\x98\x80 \xEF\xBF\xBF";
  EXPECT_EQ(printable(text), text);
}

TEST(Printable, ReplacesWhatCommandsATerminal) {
  EXPECT_EQ(printable("\x1b[31m\n\t\r\x7F"), "?[31m? ?");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m \xC2\x80\xC2\x9F"),
            "?31m ??");
  EXPECT_EQ(printable("\xC2\xA0"), "\xC2\xA0");
}

TEST(Printable, ReplacesWhatChangesTheOrderOfText) {
  for (const char* mark : {"\xE2\x80\xAA", "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x81\xA9", "\xE2\x80\x8E",
                           "\xE2\x80\x8F", "\xD8\x9C", "\xE2\x80\xA8", "\xE2\x80\xA9"})
    EXPECT_EQ(printable(std::string("a") + mark + "b"), "a?b");
}

TEST(Printable, ReplacesBytesThatAreNoText) {
  EXPECT_EQ(printable("\x9B"
                      "31m\xFF"),
            "?31m?");
  EXPECT_EQ(printable("\xC0\x9B"), "??") << "a longer form of an escape";
  EXPECT_EQ(printable("\xE0\x82\x9B"), "???");
  EXPECT_EQ(printable("\xED\xA0\x80"), "?") << "half a pair";
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "?") << "beyond the last character";
  EXPECT_EQ(printable("a\xE2\x80"), "a??") << "cut off";
}

} // namespace
} // namespace faultline::base
