
#include "../../golden/sample_report.h"
#include "base/error.h"
#include "cli/options.h"
#include "cli/parser.h"
#include "hunt/replay.h"
#include "model/settings/settings.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace faultline::cli {
namespace {

using Words = std::vector<std::string>;

// Runs in a folder of its own, with some empty sources.
class Hunting : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "faultline-cli-XXXXXX").string();
    ASSERT_TRUE(mkdtemp(name.data()));
    folder_ = name;
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
    for (const char* file : {"foo.c", "a b.c", "exact.c"})
      std::ofstream(file).flush();
    std::filesystem::create_directories("src/below");
    for (const char* file : {"src/z.c", "src/a.cpp", "src/m.f90", "src/notes.txt", "src/z.bc", "src/below/deep.c"})
      std::ofstream(file).flush();
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

  static HuntRequest hunted(Words words) {
    words.insert(words.begin(), "hunt");
    return parse_hunt(line_of(words));
  }
  static std::string refusal(Words words) {
    try {
      hunted(std::move(words));
    } catch (const base::UserError& error) {
      EXPECT_EQ(error.status, base::status_usage);
      return std::string(error.what()) + " | " + error.hint;
    }
    return "accepted";
  }

  std::filesystem::path folder_, before_;
};

TEST_F(Hunting, EveryOptionArrives) {
  const HuntRequest request = hunted({"-f",          "foo",        "--size",      "A=4x4",
                                      "foo.c",       "--range",    "x=-1:1",      "--range=y=0:2",
                                      "--format",    "x=binary32", "--hold",      "n=-4",
                                      "--output",    "return",     "--for",       "error,crashes",
                                      "--strategy",  "atomu",      "--reference", "exact.c:ns::foo",
                                      "--threshold", "1e-5",       "--ulps",      "100",
                                      "--budget",    "500ms",      "--evals",     "1000",
                                      "--seed",      "7",          "-j3",         "-o",
                                      "-",           "-o",         "x.json",      "--quiet",
                                      "-p",          "build",      "a b.c",       "--",
                                      "-O3",         "--",         "-o"});
  const hunt::Options& options = request.options;
  EXPECT_EQ(options.sources.files, (Words{"foo.c", "a b.c"}));
  EXPECT_EQ(options.sources.flags, (Words{"-O3", "--", "-o"}));
  EXPECT_EQ(options.sources.compilation_database, "build");
  EXPECT_EQ(options.functions, Words{"foo"});
  EXPECT_EQ(options.settings.sizes.at("A"), (std::vector<uint64_t>{4, 4}));
  EXPECT_EQ(options.settings.ranges.at("x").low, -1);
  EXPECT_EQ(options.settings.ranges.at("y").high, 2);
  EXPECT_EQ(options.settings.formats.at("x"), numeric::Format::binary32);
  EXPECT_EQ(options.settings.held.at("n"), -4);
  EXPECT_EQ(options.settings.outputs, Words{"return"});
  EXPECT_TRUE(options.settings.wanted.error && options.settings.wanted.crashes && !options.settings.wanted.branches);
  EXPECT_EQ(options.settings.strategy, "atomu");
  EXPECT_EQ(options.settings.oracle, model::OracleName::reference);
  EXPECT_EQ(options.settings.reference_file, "exact.c");
  EXPECT_EQ(options.settings.reference_function, "ns::foo");
  EXPECT_EQ(options.settings.threshold, 1e-5);
  EXPECT_EQ(options.settings.ulps, 100);
  EXPECT_EQ(options.settings.budget_seconds, 0.5);
  EXPECT_EQ(options.settings.evaluations, 1000u);
  EXPECT_EQ(options.settings.seed, 7u);
  EXPECT_EQ(options.jobs, 3);
  EXPECT_EQ(request.reports, (Words{"-", "x.json"}));
  EXPECT_TRUE(request.quiet);
}

TEST_F(Hunting, TheChecksForPrecisionLossAndCancellationArrive) {
  const model::Settings checks =
      hunted({"foo.c", "--site", "foo.c:3", "--site", "src/z.c:12", "--sampling", "log", "--sampling-start", "2",
              "--sampling-step", "5", "--loss-bits", "20", "--cancel-bits", "30"})
          .options.settings;
  ASSERT_EQ(checks.lines.size(), 2u);
  EXPECT_EQ(checks.lines[1].file, "src/z.c");
  EXPECT_EQ(checks.lines[1].line, 12);
  EXPECT_EQ(checks.sampling, model::CheckSampling::logarithmic);
  EXPECT_EQ(checks.sampling_start, 2u);
  EXPECT_EQ(checks.sampling_step, 5u);
  EXPECT_EQ(checks.loss_bits, 20);
  EXPECT_EQ(checks.cancellation_bits, 30);
  for (const Words& wrong : {Words{"--site", "foo.c"}, Words{"--site", ":3"}, Words{"--site", "foo.c:0"},
                             Words{"--site", "foo.c:x"}, Words{"--sampling", "often"}, Words{"--sampling-start", "0"},
                             Words{"--sampling-step", "0"}, Words{"--loss-bits", "0"}, Words{"--cancel-bits", "99999"}})
    EXPECT_NE(refusal({"foo.c", wrong[0], wrong[1]}), "accepted") << wrong[0] << " " << wrong[1];
}

TEST_F(Hunting, WaysToCompareArraysArrive) {
  const model::Settings settings = hunted({"foo.c", "--absolute", "1e-9", "--norm", "2", "--unordered", "w",
                                           "--unordered", "z", "--up-to-sign", "v"})
                                       .options.settings;
  EXPECT_EQ(settings.absolute, 1e-9);
  EXPECT_EQ(settings.norm, model::Norm::two);
  EXPECT_EQ(settings.unordered, (Words{"w", "z"}));
  EXPECT_EQ(settings.up_to_sign, Words{"v"});
  EXPECT_FALSE(hunted({"foo.c"}).options.settings.norm) << "it depends on the array's shape";
  for (const Words& wrong : {Words{"--absolute", "0"}, Words{"--absolute", "x"}, Words{"--norm", "1"}})
    EXPECT_NE(refusal({"foo.c", wrong[0], wrong[1]}), "accepted") << wrong[0] << " " << wrong[1];
}

TEST_F(Hunting, FloorsAndRangesForAllArrive) {
  const hunt::Options options =
      hunted({"foo.c", "--floor", "1e-30", "--nonzero", "--range", "-1:1", "--format", "binary32"}).options;
  EXPECT_EQ(options.settings.floor, 1e-30);
  EXPECT_TRUE(options.settings.nonzero);
  EXPECT_EQ(model::smallest_result(options.settings), 1e-30);
  EXPECT_EQ(options.settings.ranges.at("*").low, -1);
  EXPECT_EQ(options.settings.formats.at("*"), numeric::Format::binary32);
  const hunt::Options plain = hunted({"foo.c", "--range", "*=0:2"}).options;
  EXPECT_EQ(plain.settings.ranges.at("*").high, 2);
  EXPECT_EQ(plain.settings.floor, 0);
  EXPECT_FALSE(plain.settings.nonzero);
  EXPECT_EQ(model::smallest_result(plain.settings), double(FLT_MIN));
  for (const char* floor : {"0", "-1", "nan", "inf", "x"})
    EXPECT_NE(refusal({"foo.c", "--floor", floor}), "accepted") << floor;
  EXPECT_NE(refusal({"foo.c", "--range", "-1:1", "--range", "*=0:1"}), "accepted") << "twice";
}

TEST_F(Hunting, AFlagIsObeyedHoweverItIsSpelt) {
  for (const char* flag : {"--all", "--all=true", "--all=1", "--all=yes", "--all=on"})
    EXPECT_TRUE(hunted({"foo.c", flag}).options.settings.all) << flag;
  for (const char* flag : {"--all=false", "--all=0", "--all=no", "--all=off"})
    EXPECT_FALSE(hunted({"foo.c", flag}).options.settings.all) << flag;
  EXPECT_NE(refusal({"foo.c", "--all=perhaps"}), "accepted");
}

TEST_F(Hunting, DefaultsAreThoseOfTheContract) {
  const hunt::Options options = hunted({"foo.c"}).options;
  EXPECT_EQ(options.settings.strategy, "auto");
  EXPECT_EQ(options.settings.seed, 1u);
  EXPECT_FALSE(options.settings.threshold) << "what counts depends on the input then";
  EXPECT_EQ(options.settings.budget_seconds, 10);
  EXPECT_GE(options.jobs, 1);
  EXPECT_EQ(options.settings.oracle, model::OracleName::lifted);
}

TEST_F(Hunting, TheRecordedCommandDoesNotDependOnTheNumberOfJobs) {
  const Words expected{"hunt", "foo.c", "--seed", "2", "--", "-j4"};
  for (const Words& jobs : {Words{}, Words{"-j", "2"}, Words{"-j2"}, Words{"--jobs=2"}, Words{"--jobs", "2"}}) {
    Words words{"foo.c"};
    words.insert(words.end(), jobs.begin(), jobs.end());
    words.insert(words.end(), {"--seed", "2", "--", "-j4"});
    EXPECT_EQ(hunted(words).options.command, expected);
  }
}

TEST_F(Hunting, AFolderIsItsSources) {
  EXPECT_EQ(hunted({"src"}).options.sources.files, (Words{"src/a.cpp", "src/m.f90", "src/z.c"}));
  EXPECT_EQ(hunted({"src/", "foo.c"}).options.sources.files, (Words{"src/a.cpp", "src/m.f90", "src/z.c", "foo.c"}));
  EXPECT_EQ(hunted({"src/z.bc"}).options.sources.files, Words{"src/z.bc"});
  std::filesystem::create_directory("empty");
  EXPECT_NE(refusal({"empty"}), "accepted");
}

TEST_F(Hunting, MistakesAreNamedAndTheNearestOptionIsOffered) {
  EXPECT_EQ(refusal({"foo.c", "--treshold", "1"}),
            "unknown option '--treshold' | --threshold; faultline hunt --help shows all");
  EXPECT_EQ(refusal({"foo.c", "--stratgy=atomu"}),
            "unknown option '--stratgy' | --strategy; faultline hunt --help shows all");
  EXPECT_EQ(refusal({"fo.c"}), "fo.c: no such file | foo.c");
  EXPECT_TRUE(refusal({"foo.c", "--strategy", "magic"})
                  .starts_with("--strategy magic: there is no such strategy | one of auto, "));
  EXPECT_EQ(refusal({"foo.c", "--seed"}), "--seed: the value is missing | faultline hunt --help");
  EXPECT_EQ(refusal({"foo.c", "--seed", "1", "--seed", "2"}), "--seed: given twice | faultline hunt --help");
  for (const Words& words :
       {Words{}, Words{"foo.c", "--oracle", "delphi"}, Words{"foo.c", "--oracle", "reference"},
        Words{"foo.c", "--oracle", "lifted", "--reference", "exact.c:f"}, Words{"foo.c", "--reference", "gone.c:f"},
        Words{"foo.c", "--reference", "exact.c"}, Words{"foo.c", "--range", "x=0:1", "--range", "x=0:2"},
        Words{"foo.c", "-Q"}, Words{"foo.c", "--range", "x=2:1"}, Words{"foo.c", "--strategy", "magic"}})
    EXPECT_NE(refusal(words), "accepted") << testing::PrintToString(words);
  EXPECT_THROW(hunted({"--help"}), Help);
}

// The words a shell makes of a line.
Words shell_words(const std::string& line) {
  Words words;
  std::FILE* shell = popen(("printf '%s\\0' " + line).c_str(), "r");
  std::string word;
  for (int c; (c = std::fgetc(shell)) != EOF;)
    if (c == 0)
      words.push_back(std::exchange(word, ""));
    else
      word += static_cast<char>(c);
  EXPECT_EQ(pclose(shell), 0);
  return words;
}

std::string replay_of(const hunt::Options& options, const model::TargetReport& target) {
  return hunt::replay_command(options, options.settings, target, golden::inaccuracy());
}

TEST_F(Hunting, TheReplayCommandNamesTheSavedFile) {
  const model::TargetReport target = golden::sample_report().targets[0];
  for (const Words& words : {Words{"foo.c", "-o", "my findings.json"}, Words{"foo.c", "-o", "-", "-omy findings.json"}})
    EXPECT_EQ(replay_of(hunted(words).options, target), "faultline replay 'my findings.json' --only 3f6a90c1");
}

TEST_F(Hunting, TheReplayCommandKeepsWhatMadeItAFinding) {
  const model::TargetReport target = golden::sample_report().targets[0];
  const std::string plain = replay_of(hunted({"foo.c"}).options, target);
  for (const char* option : {"--bound", "--status", "--threshold", "--ulps", "--nonzero"})
    EXPECT_EQ(plain.find(option), std::string::npos) << plain;
  const std::string command = replay_of(hunted({"foo.c", "--bound", "r.err", "--bound-factor", "3", "--status",
                                                "return=0", "--threshold", "1e-9", "--nonzero"})
                                            .options,
                                        target);
  for (const char* option :
       {" --bound r.err", " --bound-factor 3", " --status return=0", " --threshold 1e-09", " --nonzero"})
    EXPECT_NE(command.find(option), std::string::npos) << option << " in " << command;
}

TEST_F(Hunting, TheReplayCommandCanBePastedIntoAShell) {
  model::TargetReport target = golden::sample_report().targets[0];
  target.function = "ns::f(double, 'x')";
  const model::Finding finding = golden::infinite_error_of_a_long_array();
  const hunt::Options options =
      hunted({"a b.c", "-o", "-", "--size", "A=4x8", "--size", "*=1", "--hold", "n=3", "--hold", "m=0.1", "--output",
              "result.val", "--reference", "exact.c:f", "--", "-DS=\"$HOME\"", "-I."})
          .options;
  Words words = shell_words(hunt::replay_command(options, options.settings, target, finding));
  ASSERT_EQ(words.at(0), "faultline");
  ASSERT_EQ(words.at(1), "explain");
  words.erase(words.begin());

  const CommandLine line = line_of(words);
  const model::RawSettings raw = parse_sources("explain", "", "", line);
  const hunt::Options again = options_from(raw, line);

  EXPECT_EQ(again.sources.files, options.sources.files);
  EXPECT_EQ(again.sources.flags, options.sources.flags);
  EXPECT_EQ(again.functions, Words{target.function});
  EXPECT_EQ(again.settings.sizes, options.settings.sizes);
  EXPECT_EQ(again.settings.outputs, options.settings.outputs);
  EXPECT_EQ(again.settings.held, (std::map<std::string, long double>{{"m", 0.1L}})) << "n is an input of the finding";
  EXPECT_EQ(again.settings.oracle, options.settings.oracle);
  EXPECT_EQ(again.settings.reference_function, "f");
  std::map<std::string, std::string> cells;
  for (const model::NamedNumber& cell : finding.input)
    cells[cell.name] = cell.value.decimal;
  EXPECT_EQ(model::input_from(raw.values("at")), cells);
}

} // namespace
} // namespace faultline::cli
