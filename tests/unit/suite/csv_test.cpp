#include "suite/bench.h"

#include "frontend/error.h"

#include <gtest/gtest.h>

namespace faultline::suite {
namespace {

using Cells = std::vector<std::string>;

std::string refusal(const std::string& text) {
  try {
    parse_csv(text, "x.csv");
  } catch (const frontend::UserError& error) {
    EXPECT_EQ(error.status, frontend::status_usage);
    return error.what();
  }
  return "accepted";
}

TEST(Csv, CellsAreReadAsTheyWereWritten) {
  const std::vector<Cells> rows = {
      {"plain", "", "1e-3"}, {"a,b", "say \"x\"", "two\nlines"}, {"", "", ""}, {"\"", ",", "\r"}};
  std::string text = csv_line({"a", "b", "c"});
  for (const Cells& row : rows)
    text += csv_line(row);
  const Csv csv = parse_csv(text, "x.csv");
  EXPECT_EQ(csv.titles, (Cells{"a", "b", "c"}));
  EXPECT_EQ(csv.rows, rows);
  EXPECT_EQ(csv.column("c"), 2u);
  EXPECT_THROW(csv.column("d"), frontend::UserError);
}

TEST(Csv, LineEndsOfAllKinds) {
  const std::vector<Cells> rows = {{"1", "2"}, {"3", ""}};
  EXPECT_EQ(parse_csv("a,b\r\n1,2\r\n3,", "x.csv").rows, rows);
  EXPECT_EQ(parse_csv("a,b\n1,2\n3,\"\"\n", "x.csv").rows, rows);
  EXPECT_TRUE(parse_csv("a,b", "x.csv").rows.empty());
}

TEST(Csv, MalformedTextIsAnErrorThatSaysWhere) {
  EXPECT_EQ(refusal(""), "x.csv:0: there are no titles");
  EXPECT_EQ(refusal("a,b\n1,2\n3\n"), "x.csv:3: 1 cells under 2 titles");
  EXPECT_EQ(refusal("a,b\n1,2,3\n"), "x.csv:2: 3 cells under 2 titles");
  EXPECT_EQ(refusal("a,b\n\n"), "x.csv:2: 1 cells under 2 titles");
  EXPECT_EQ(refusal("a,b\n1,\"2\n"), "x.csv:2: a quote is not closed");
  EXPECT_EQ(refusal("a,b\n1,\"2\"3\n"), "x.csv:2: text after a closing quote");
}

} // namespace
} // namespace faultline::suite
