// A subcommand: a function of its command line that returns the exit status. Each has a file of its own.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace faultline::cli {

// The command line, taken apart.
struct Line {
  std::vector<std::string> words; // after the subcommand's name, before --
  std::vector<std::string> flags; // after --: the compiler's
  std::vector<std::string> typed; // all of it, with the subcommand's name
};
Line line_of(std::vector<std::string> typed);

int hunt(const Line& line);
int list(const Line& line);
int explain(const Line& line);
int replay(const Line& line);
int report(const Line& line);
int bench(const Line& line);
int cover(const Line& line);
int solve(const Line& line);

// Thrown when the user asked for help or the version: not an error.
struct Help {
  std::string text;
};

// Reads the words into the variables that the app's options are bound to. Throws Help, or UserError: an option that
// does not exist (with the nearest ones), a value that is missing, a word too many.
void parse(CLI::App& app, const Line& line);

// For subcommands that compile nothing.
void refuse_flags(const Line& line);

} // namespace faultline::cli
