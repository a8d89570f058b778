// Completion: the scripts offer what the commands take. Bash runs its own; of the others the words are looked at here,
// and their syntax by the end-to-end tests where the shells are installed.
#include "cli/choices.h"

#include "model/settings/settings.h"

#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <set>

namespace faultline::cli {
namespace {

std::vector<std::string> words_in(const std::string& list) {
  return list.empty() ? std::vector<std::string>{} : model::comma_list(list);
}

TEST(Completion, EveryOptionOfTheTableIsInEveryScript) {
  const std::string bash = bash_completion(), zsh = zsh_completion(), fish = fish_completion();
  size_t options = 0;
  for (const model::Setting& setting : model::all_settings()) {
    for (const std::string& name : words_in(setting.option)) {
      const bool is_long = name.starts_with("--");
      EXPECT_NE(bash.find(name), std::string::npos) << name;
      EXPECT_NE(zsh.find(name + (setting.form == model::Form::flag ? "["
                                 : is_long                         ? "=["
                                                                   : "+[")),
                std::string::npos)
          << name;
      EXPECT_NE(fish.find(is_long ? " -l " + name.substr(2) + " " : " -s " + name.substr(1) + " "), std::string::npos)
          << name;
      ++options;
    }
  }
  EXPECT_GT(options, 30u);
  for (const Command& command : all_commands())
    for (const std::string& script : {bash, zsh, fish})
      EXPECT_NE(script.find(command.name), std::string::npos) << command.name;
}

TEST(Completion, TheWordsOfferedForAValueAreAccepted) {
  size_t words = 0;
  for (const model::Setting& setting : model::all_settings())
    for (const std::string& word : words_in(setting.choices)) {
      model::Settings ignored;
      ++words;
      if (setting.of_function()) {
        EXPECT_NO_THROW(setting.read({word}, ignored)) << setting.key << " " << word;
      }
    }
  EXPECT_GE(words, 11u);
}

// What bash offers after these words.
std::set<std::string> offered(const std::vector<std::string>& words) {
  const std::string script =
      fmt::format("{}\nCOMP_WORDS=('{}'); COMP_CWORD={}; _faultline; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
                  bash_completion(), fmt::join(words, "' '"), words.size() - 1);
  const std::string file = testing::TempDir() + "faultline_completion.bash";
  FILE* made = std::fopen(file.c_str(), "w");
  std::fputs(script.c_str(), made);
  std::fclose(made);
  std::set<std::string> lines;
  FILE* bash = popen(("bash --norc " + file + " < /dev/null").c_str(), "r");
  std::array<char, 4096> line;
  while (std::fgets(line.data(), line.size(), bash))
    if (std::string text(line.data(), std::string_view(line.data()).find('\n')); !text.empty())
      lines.insert(text);
  EXPECT_EQ(pclose(bash), 0);
  return lines;
}

TEST(Completion, BashOffersCommandsOptionsAndValues) {
  using Words = std::set<std::string>;
  EXPECT_EQ(offered({"faultline", "h"}), (Words{"hunt", "harness", "help"}));
  EXPECT_EQ(offered({"faultline", "hunt", "--thr"}), Words{"--threshold"});
  EXPECT_EQ(offered({"faultline", "list", "--thr"}), Words{}) << "not an option of list";
  EXPECT_EQ(offered({"faultline", "hunt", "--strategy", "br"}), Words{"bracket"});
  EXPECT_EQ(offered({"faultline", "hunt", "--oracle", "=", "re"}), (Words{"replay", "reference"}));
  EXPECT_EQ(offered({"faultline", "hunt", "--oracle", "="}), (Words{"lifted", "replay", "reference", "none"}));
  EXPECT_EQ(offered({"faultline", "solve", "--solver", "interv"}), Words{"interval"});
  EXPECT_EQ(offered({"faultline", "explain", "--kind", "cancell"}), Words{"cancellation"});
  EXPECT_EQ(offered({"faultline", "hunt", "--budget", ""}), Words{}) << "a number cannot be completed";
  EXPECT_EQ(offered({"faultline", "bench", "gsl"}), (Words{"gsl", "gsl-exceptions"}));
  EXPECT_EQ(offered({"faultline", "help", "cov"}), Words{"cover"});
  EXPECT_EQ(offered({"faultline", "completion", ""}), (Words{"bash", "zsh", "fish"}));
  EXPECT_EQ(offered({"faultline", "hunt", "/proc/self/cmdl"}), Words{"/proc/self/cmdline"});
  EXPECT_EQ(offered({"faultline", "hunt", "a.c", "-o", "/proc/self/cmdl"}), Words{"/proc/self/cmdline"});
  EXPECT_EQ(offered({"faultline", "hunt", "--corpus", "/us"}), Words{"/usr"});
  EXPECT_EQ(offered({"faultline", "hunt", "a.c", "--", "--thr"}), Words{}) << "the compiler's";
}

} // namespace
} // namespace faultline::cli
