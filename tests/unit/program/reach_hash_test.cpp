// When has a function changed? Campaigns hunt anew in those, and in no others.
#include "../temporary_folder.h"

#include "program/program.h"

#include <gtest/gtest.h>
#include <map>

namespace faultline::program {
namespace {

std::map<std::string, ReachHash> hashes_of(const std::vector<std::string>& texts, const std::string& ending = ".c") {
  const test::TemporaryFolder folder;
  Sources sources;
  for (size_t i = 0; i < texts.size(); ++i)
    sources.files.push_back(folder.write("subject" + std::to_string(i) + ending, texts[i]));
  Program program = Program::load(sources);
  const std::vector<model::Target> targets = program.targets({});
  const std::vector<ReachHash> hashes = program.reach_hashes(targets);
  std::map<std::string, ReachHash> by_name;
  for (size_t i = 0; i < targets.size(); ++i)
    by_name[model::before_parameters(targets[i].function)] = hashes[i];
  return by_name;
}

constexpr const char* text = R"(
#include <math.h>
static const double table[] = {1.5, 2.5, 3.5};
struct pair { double a, b; };
static double helper(double x) { struct pair p = {x, x + 1}; return p.a * table[1] - sin(p.b); }
double f(double x) { return helper(x) + 1; }
double g(double x) { return x / 3; }
)";

std::string with(const std::string& from, const std::string& to) {
  std::string changed = text;
  changed.replace(changed.find(from), from.size(), to);
  return changed;
}

TEST(ReachHash, TheSameCodeHasTheSameHash) { EXPECT_EQ(hashes_of({text}), hashes_of({text})); }

TEST(ReachHash, WhateverAFunctionReachesCountsAndNothingElse) {
  const auto before = hashes_of({text});
  for (const auto& [from, to] : {std::pair{"2.5", "2.25"},             // a table
                                 {"sin(p.b)", "cos(p.b)"},             // what is called
                                 {"p.a * table[1]", "p.a + table[1]"}, // an operation
                                 {"helper(x) + 1", "helper(x) + 2"},   // a constant
                                 {"table[1]", "table[2]"}}) {
    const auto after = hashes_of({with(from, to)});
    EXPECT_NE(before.at("f").code, after.at("f").code) << to;
    EXPECT_EQ(before.at("g"), after.at("g")) << to;
  }
}

TEST(ReachHash, LinesThatMoveChangePlacesAndNoCode) {
  const auto before = hashes_of({text}), after = hashes_of({"// a comment\n\n" + std::string(text)});
  EXPECT_EQ(before.at("f").code, after.at("f").code);
  EXPECT_NE(before.at("f").places, after.at("f").places);
}

// Linking renames static functions and types that several files have.
TEST(ReachHash, OtherFilesOfTheProgramDoNotMatter) {
  const std::string other = R"(
static double helper(double x) { return x * x; }
struct pair { double c; };
double before(double x) { struct pair p = {x}; return helper(p.c) - 1; }
)";
  const auto alone = hashes_of({text}), second = hashes_of({other, text});
  EXPECT_EQ(alone.at("f").code, second.at("f").code);
  EXPECT_EQ(alone.at("g").code, second.at("g").code);
}

TEST(ReachHash, ConstructorsCountWhereTheirVariablesDo) {
  const auto program = [](const char* start) {
    return hashes_of({std::string("extern \"C\" double sin(double);\nstatic double scale = sin(") + start +
                      ");\ndouble scaled(double x) { return x * scale; }\ndouble plain(double x) { return x / 3; }\n"},
                     ".cpp");
  };
  const auto before = program("0.5"), after = program("0.75");
  EXPECT_NE(before.at("scaled").code, after.at("scaled").code);
  EXPECT_EQ(before.at("plain").code, after.at("plain").code);
}

TEST(ReachHash, FunctionsThatCallEachOtherHaveOne) {
  const char* text = "double odd(double x);\ndouble even(double x) { return x < 1 ? 1 : odd(x - 1); }\n"
                     "double odd(double x) { return x < 1 ? 0 : even(x - 1); }\n";
  const auto hashes = hashes_of({text});
  EXPECT_EQ(hashes.at("odd").code.size(), 64u);
  EXPECT_EQ(hashes, hashes_of({text}));
}

} // namespace
} // namespace faultline::program
