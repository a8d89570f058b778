// A text of several lines that takes the place of the one before, on a terminal. No alternate screen: the last one
// stays when it ends, and what stood above can be scrolled to.
#pragma once

#include <cstdio>
#include <string>

namespace faultline::cli {

struct TerminalSize {
  size_t columns = 80, lines = 24;
};
TerminalSize terminal_size(std::FILE* stream); // what is usual, where the terminal does not say

class TerminalView {
public:
  explicit TerminalView(std::FILE* stream) : stream_(stream) {}

  // One line less than the terminal has are shown, and of each as much as fits: lines that wrap cannot be counted back.
  void show(const std::string& text);
  void clear(); // what comes next stands where it was

private:
  std::FILE* stream_;
  size_t lines_ = 0; // that it has written
};

} // namespace faultline::cli
