#include "model/csv_lines.h"

#include <gtest/gtest.h>
#include <stdexcept>

namespace faultline::model {
namespace {

using Cells = std::vector<std::string>;

CsvLines lines_of(std::string_view text) {
  return {text, [](size_t line, const std::string& why) { throw std::runtime_error(std::to_string(line) + why); }};
}

TEST(CsvLines, ACellOfTwoLinesCountsAsTwo) {
  CsvLines lines = lines_of("a,\"1\n2\"\n# said\nb,c\n");
  EXPECT_EQ(lines.line(), 0u);
  EXPECT_EQ(lines.cells(), (Cells{"a", "1\n2"}));
  EXPECT_EQ(lines.line(), 1u);
  EXPECT_TRUE(lines.begins_with_one_of("#"));
  lines.skip();
  EXPECT_EQ(lines.line(), 3u);
  EXPECT_EQ(lines.cells(), (Cells{"b", "c"}));
  EXPECT_EQ(lines.line(), 4u);
  EXPECT_TRUE(lines.at_end());
  EXPECT_FALSE(lines.begins_with_one_of("#"));
}

TEST(CsvLines, ARemarkWithoutALineBreakIsTheLast) {
  CsvLines lines = lines_of("# said");
  lines.skip();
  EXPECT_TRUE(lines.at_end());
}

TEST(CsvLines, LinesOfCommasDoNotFillTheMemory) {
  EXPECT_EQ(lines_of(std::string(255, ',')).cells().size(), 256u);
  EXPECT_THROW(lines_of(std::string(256, ',')).cells(), std::runtime_error);
}

TEST(CsvLines, AFirstCellIsNotTakenForARemark) {
  const std::string line = csv_line({"#1", "#2"});
  EXPECT_EQ(line, "\"#1\",#2\n");
  EXPECT_EQ(lines_of(line).cells(), (Cells{"#1", "#2"}));
}

} // namespace
} // namespace faultline::model
