#include "model/edit.h"

#include "base/error.h"

#include <gtest/gtest.h>
#include <random>

namespace faultline::model {
namespace {

constexpr const char* edited_file = "a.c";
const std::string ten_lines = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

TEST(Edits, ReplaceInsertAndKeepTheRest) {
  EXPECT_EQ(edited("abcdef", {{edited_file, 4, 1, "X"}, {edited_file, 0, 0, "<"}, {edited_file, 1, 2, ""}}), "<adXf");
  EXPECT_EQ(edited("ab", {{edited_file, 1, 0, "1"}, {edited_file, 1, 0, "2"}}), "a12b"); // insertions keep their order
}

TEST(Edits, RefuseWhatOverlapsOrLiesOutside) {
  EXPECT_THROW(edited("abcdef", {{edited_file, 1, 3, ""}, {edited_file, 2, 1, "x"}}), base::UserError);
  EXPECT_THROW(edited("abc", {{edited_file, 2, 2, ""}}), base::UserError);
}

TEST(UnifiedDiff, HasThreeLinesAroundEachChange) {
  const std::string after = edited(ten_lines, {{edited_file, 14, 4, "FOUR"}});
  EXPECT_EQ(unified_diff("dir/a.c", ten_lines, after),
            "--- a/dir/a.c\n+++ b/dir/a.c\n@@ -1,7 +1,7 @@\n one\n two\n three\n-four\n+FOUR\n five\n six\n seven\n");
}

TEST(UnifiedDiff, JoinsNearChangesAndSeparatesFarOnes) {
  std::string before, after;
  for (int i = 0; i < 40; ++i) {
    before += std::to_string(i) + "\n";
    after += (i == 3 || i == 5 || i == 30 ? "x" : std::to_string(i)) + "\n";
  }
  const std::string diff = unified_diff(edited_file, before, after);
  EXPECT_EQ(std::count(diff.begin(), diff.end(), '@'), 8) << diff; // two hunks
}

TEST(UnifiedDiff, IsEmptyForEqualTexts) { EXPECT_EQ(unified_diff(edited_file, ten_lines, ten_lines), ""); }

TEST(UnifiedDiff, MarksAMissingNewlineAtTheEnd) {
  const std::string diff = unified_diff(edited_file, "a\nb", "a\nc");
  EXPECT_EQ(diff, "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at "
                  "end of file\n");
}

TEST(UnifiedDiff, AppliesAgain) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string before, after;
    const int lines = int(random() % 30);
    for (int i = 0; i < lines; ++i) {
      const std::string line = std::to_string(random() % 8) + "\n";
      before += line;
      switch (random() % 8) {
      case 0:
        break;
      case 1:
        after += "new\n" + line;
        break;
      case 2:
        after += "other\n";
        break;
      default:
        after += line;
      }
    }
    if (round % 5 == 0 && !before.empty())
      before.pop_back();
    const std::string diff = unified_diff(edited_file, before, after);
    if (before == after) {
      EXPECT_EQ(diff, "");
      continue;
    }
    const std::vector<FileDiff> parsed = parse_diff(diff);
    ASSERT_EQ(parsed.size(), 1u);
    EXPECT_EQ(parsed[0].file, edited_file);
    EXPECT_EQ(patched(before, parsed[0]), after) << diff;
  }
}

TEST(ForeignPatch, IsFoundWhereItsLinesHaveMoved) {
  const FileDiff diff =
      parse_diff(unified_diff(edited_file, ten_lines, edited(ten_lines, {{edited_file, 14, 4, "FOUR"}}))).front();
  EXPECT_EQ(patched("new\nlines\n" + ten_lines, diff),
            "new\nlines\n" + edited(ten_lines, {{edited_file, 14, 4, "FOUR"}}));
}

TEST(ForeignPatch, IsRefusedIfItDoesNotFit) {
  const FileDiff diff =
      parse_diff(unified_diff(edited_file, ten_lines, edited(ten_lines, {{edited_file, 14, 4, "FOUR"}}))).front();
  EXPECT_THROW(patched("something\nelse\n", diff), base::UserError);
  EXPECT_THROW(parse_diff("no diff\n"), base::UserError);
  EXPECT_THROW(parse_diff(""), base::UserError);
}

} // namespace
} // namespace faultline::model
