#include "cli/progress.h"

#include <cstdio>
#include <gtest/gtest.h>

namespace faultline::cli {
namespace {

std::string written(std::FILE* stream) {
  std::string text(static_cast<size_t>(std::ftell(stream)), ' ');
  std::rewind(stream);
  EXPECT_EQ(std::fread(text.data(), 1, text.size(), stream), text.size());
  return text;
}

TEST(TerminalView, ATextTakesThePlaceOfTheOneBefore) {
  std::FILE* stream = std::tmpfile();
  TerminalView view(stream);
  view.show("one\ntwo\n");
  view.show("three\n");
  view.clear();
  view.clear();
  EXPECT_EQ(written(stream), "one\ntwo\n\033[2A\033[Jthree\n\033[1A\033[J");
  std::fclose(stream);
}

TEST(TerminalView, NothingIsWrittenThatCannotBeTakenBack) {
  std::FILE* stream = std::tmpfile(); // without a size: 80 by 24
  TerminalView view(stream);
  std::string text;
  for (int line = 0; line < 50; ++line)
    text += std::string(100, 'x') + "\n";
  view.show(text);
  const std::string shown = written(stream);
  EXPECT_EQ(std::count(shown.begin(), shown.end(), '\n'), 23);
  EXPECT_EQ(shown.find('\n'), 79u);
  view.show("\033[1m" + std::string(79, 'y') + "\033[0m\n\033[1m" + std::string(80, 'z') + "\033[0m\n");
  const std::string coloured = written(stream).substr(shown.size());
  EXPECT_NE(coloured.find("\033[1m" + std::string(79, 'y') + "\033[0m\n"), std::string::npos) << "it fits";
  EXPECT_NE(coloured.find("\n" + std::string(76, 'z') + "...\n"), std::string::npos) << "it does not";
  std::fclose(stream);
}

} // namespace
} // namespace faultline::cli
