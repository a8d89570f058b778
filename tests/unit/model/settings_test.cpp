#include "model/settings/table.h"

#include "base/error.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

namespace faultline::model {
namespace {

using Words = std::vector<std::string>;

bool always(const std::string&) { return true; }
bool never(const std::string&) { return false; }

TEST(Overriding, TheHigherOneWinsWhereItSaysSomething) {
  RawSettings lower, higher;
  lower.set("strategy", {"random"});
  lower.set("seed", {"3"});
  higher.set("strategy", {"bracket"});
  const RawSettings both = overridden(lower, higher, always);
  EXPECT_EQ(both.value("strategy"), "bracket");
  EXPECT_EQ(both.value("seed"), "3");
}

TEST(Overriding, TwoWaysToSayOneThingDoNotMix) {
  RawSettings lower, higher;
  lower.set("threshold", {"1e-6"});
  lower.set("evals", {"100"});
  lower.set("reference", {"exact.c:f"});
  higher.set("ulps", {"4"});
  higher.set("budget", {"1s"});
  higher.set("oracle", {"lifted"});
  const RawSettings both = overridden(lower, higher, always);
  EXPECT_EQ(both.value("threshold") + "|" + both.value("ulps"), "|4");
  EXPECT_EQ(both.value("evals") + "|" + both.value("budget"), "|1s");
  EXPECT_EQ(both.value("reference") + "|" + both.value("oracle"), "|lifted");
}

TEST(Overriding, ThreeWaysToSayWhatCountsDoNotMix) {
  for (const char* lower_key : {"threshold", "ulps", "absolute"})
    for (const char* higher_key : {"threshold", "ulps", "absolute"}) {
      RawSettings lower, higher;
      lower.set(lower_key, {"2"});
      higher.set(higher_key, {"3"});
      const RawSettings both = overridden(lower, higher, always);
      EXPECT_EQ(both.value("threshold") + both.value("ulps") + both.value("absolute"), "3")
          << lower_key << " " << higher_key;
    }
}

TEST(Overriding, NamesAreReplacedOneByOne) {
  RawSettings lower, higher;
  lower.set("range", {"x=0:1", "y=0:2", "A[3]=0:3"});
  higher.set("range", {"x=5:6", "A=7:8"});
  EXPECT_EQ(overridden(lower, higher, always).values("range"), (Words{"y=0:2", "x=5:6", "A=7:8"}));
  lower.set("range", {"A=0:1"});
  higher.set("range", {"A[3]=2:3"});
  EXPECT_EQ(overridden(lower, higher, always).values("range"), (Words{"A=0:1", "A[3]=2:3"}))
      << "an element is an exception";
  lower.set("range", {"xy=0:1"});
  higher.set("range", {"x=2:3"});
  EXPECT_EQ(overridden(lower, higher, always).values("range").size(), 2u) << "xy is not x";
}

TEST(Overriding, OneForAllReplacesThoseOfFloatsOnly) {
  RawSettings lower, higher;
  lower.set("range", {"x=0:1", "n=0:9", "5:6"});
  higher.set("range", {"-1:1"});
  const auto is_float = [](const std::string& name) { return name == "x"; };
  EXPECT_EQ(overridden(lower, higher, is_float).values("range"), (Words{"n=0:9", "-1:1"}));
  lower.set("size", {"A=4"});
  higher.set("size", {"8"});
  EXPECT_EQ(overridden(lower, higher, never).values("size"), Words{"8"}) << "a size is one of any array";
}

TEST(Overriding, ListsAreReplacedAsAWhole) {
  RawSettings lower, higher;
  lower.set("output", {"a", "b"});
  higher.set("output", {"c"});
  EXPECT_EQ(overridden(lower, higher, always).values("output"), Words{"c"});
  EXPECT_EQ(overridden(lower, {}, always).values("output"), (Words{"a", "b"}));
}

// Values that can be read, for every form; a row that needs others has its own.
std::vector<std::string> some_values(const Setting& setting) {
  const std::map<std::string, std::vector<std::string>> particular{{"size", {"A=4x5", "7"}},
                                                                   {"alias", {"y=x"}},
                                                                   {"range", {"x=-1:1.5", "0:1"}},
                                                                   {"everyday", {"x=-1:1.5:0.25", "y=0:1"}},
                                                                   {"format", {"x=binary32"}},
                                                                   {"hold", {"n=4"}},
                                                                   {"assume", {"a < b", "sorted(x)"}},
                                                                   {"site", {"foo.c:3", "bar.c:4"}},
                                                                   {"for", {"error,bound"}},
                                                                   {"sampling", {"log"}},
                                                                   {"oracle", {"replay"}},
                                                                   {"status", {"return=1"}},
                                                                   {"strategy", {"bracket"}},
                                                                   {"scope", {"everyday"}},
                                                                   {"norm", {"2"}}};
  if (const auto found = particular.find(setting.key); found != particular.end())
    return found->second;
  switch (setting.form) {
  case Form::flag:
    return {"true"};
  case Form::duration:
    return {"0.25s"};
  case Form::number:
    return {"17"};
  case Form::list:
    return {"a", "b"};
  default:
    return {};
  }
}

TEST(Settings, WhatIsWrittenReadsBackAsTheSame) {
  for (const Setting& setting : all_settings()) { // all there are, so that none is forgotten
    if (!setting.of_function() || std::string_view(setting.key) == "reference") // that one needs a file
      continue;
    Settings settings;
    setting.read(some_values(setting), settings);
    EXPECT_NE(settings, Settings()) << setting.key << " is read into no field, or the sample is the default";
    const std::vector<std::string> written = setting.write(settings);
    Settings again;
    setting.read(written, again);
    EXPECT_EQ(again, settings) << setting.key;
    EXPECT_EQ(read_settings(raw_settings_in(words_of(raw_settings_of(settings)))) == settings,
              setting.recorded != Recorded::never)
        << setting.key;
    EXPECT_TRUE(setting.write(Settings()).empty()) << setting.key << ": the default is nothing to write";
  }
}

TEST(Settings, TheReferenceIsWrittenAsItIsRead) {
  const std::string file = FAULTLINE_ROOT "/README.md";
  Settings settings;
  find_setting("reference")->read({file + ":ns::f"}, settings);
  EXPECT_EQ(raw_settings_of(settings).values("reference"), Words{file + ":ns::f"});
  EXPECT_FALSE(raw_settings_of(settings).has("oracle"));
}

TEST(Settings, TheDefaultsInTheHelpAreTheDefaults) {
  for (const Setting& setting : all_settings()) {
    if (!setting.of_function() || !*setting.usual)
      continue;
    Settings settings;
    setting.read({setting.usual}, settings);
    EXPECT_EQ(settings, Settings()) << setting.key << ": " << setting.usual;
  }
}

TEST(Settings, RowsSayWhatAReaderOfTheHelpNeeds) {
  std::set<std::pair<std::string, uint32_t>> seen;
  for (const Setting& setting : all_settings()) {
    EXPECT_TRUE(*setting.help) << setting.key;
    EXPECT_EQ(*setting.option == 0, setting.commands == 0) << setting.key << ": an option that no command takes";
    EXPECT_TRUE(setting.commands != 0 || setting.in_file != InFile::nowhere) << setting.key << ": cannot be said";
    EXPECT_TRUE(setting.in_file == InFile::nowhere || *setting.example) << setting.key << ": no example";
    EXPECT_EQ(setting.read != nullptr, setting.write != nullptr) << setting.key;
    for (uint32_t command = 1; command != 0; command <<= 1)
      if (setting.commands & command)
        EXPECT_TRUE(seen.emplace(setting.key, command).second) << setting.key << ": twice in one command";
  }
}

TEST(Settings, FromAReportThatWasTamperedWithAreRefused) {
  for (const Words& words : {Words{"--range"}, Words{"range", "x=0:1"}, Words{"--jobs", "4"}, Words{""},
                             Words{"--skip"}, Words{"--threshold", "1", "2"}})
    EXPECT_THROW(raw_settings_in(words), base::UserError) << words.front();
}

} // namespace
} // namespace faultline::model
