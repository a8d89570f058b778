#include "model/json/finding_json.h"

#include "../../golden/sample_report.h"
#include "base/error.h"
#include "model/json/json_place.h"

#include <gtest/gtest.h>

namespace faultline::model {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_report(text, "f.json");
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, base::status_usage);
    EXPECT_FALSE(error.hint.empty());
    return error.what();
  }
  return "accepted";
}

Json sample() { return to_json(golden::sample_report()); }
std::string refusal(const Json& json) { return refusal(json_text(json)); }

TEST(FindingJson, FlagsThatAreNegativeAreReadAgain) {
  const InputRange flag{"sign", "int32", "-1", "1", false, {-1, 1}};
  const Json json = to_json(flag);
  EXPECT_EQ(from_json<InputRange>(Place(json, "")).values, flag.values);
}

TEST(FindingJson, ReadsBackWhatItWrote) {
  EXPECT_EQ(json_text(to_json(parse_report(json_text(sample()), "f.json"))), json_text(sample()));
}

TEST(FindingJson, SettingsComeBackForTheReplay) {
  Report report = golden::sample_report();
  EXPECT_FALSE(to_json(report).contains("configuration"));
  report.configuration = {"lib/faultline.toml", {"-Ilib/include"}};
  report.targets.at(0).settings = {"--range", "x=0:1", "--nonzero"};
  const Report back = parse_report(json_text(to_json(report)), "f.json");
  ASSERT_TRUE(back.configuration);
  EXPECT_EQ(back.configuration->file, "lib/faultline.toml");
  EXPECT_EQ(back.configuration->flags, report.configuration->flags);
  EXPECT_EQ(back.targets.at(0).settings, report.targets[0].settings);
  Json broken = to_json(report);
  broken["targets"][0]["settings"] = "all";
  EXPECT_EQ(refusal(broken), "f.json: targets[0].settings: is string, not a list");
}

TEST(FindingJson, KeysHaveTheOrderOfTheContract) {
  const Json finding = to_json(golden::inaccuracy());
  std::string keys;
  for (const auto& [key, value] : finding.items())
    keys += key + " ";
  EXPECT_EQ(keys, "id kind input everyday output error oracle strategy cause verdict diagnosis share when replay ");
}

TEST(FindingJson, TellsWhatWasThrown) {
  Finding thrown = golden::inaccuracy();
  thrown.kind = Kind::exception;
  thrown.thrown = Thrown{"std::domain_error", "below zero"};
  thrown.aftermath.emplace().reported_by = "exception";
  const Json json = to_json(thrown);
  EXPECT_EQ(json["kind"], "exception");
  EXPECT_EQ(json["thrown"], (Json{{"type", "std::domain_error"}, {"what", "below zero"}}));
  EXPECT_EQ(to_json(from_json<Finding>(Place(json, ""))), json);
}

TEST(FindingJson, TellsWhatBecameOfAnException) {
  const Json swallowed = to_json(golden::overflow()), told = to_json(golden::reported_nan());
  EXPECT_EQ(swallowed["silent"], true);
  EXPECT_FALSE(swallowed.contains("reported_by"));
  EXPECT_EQ(swallowed["reaches_output"], false);
  EXPECT_EQ(swallowed["swallowed_at"]["line"], 9);
  EXPECT_EQ(swallowed["found_by"], "sampling");
  EXPECT_FALSE(swallowed.contains("harmless") || swallowed.contains("flags"));
  EXPECT_EQ(told["silent"], false);
  EXPECT_EQ(told["reported_by"], "status");
  EXPECT_EQ(told["consequence"], true);
  EXPECT_EQ(told["flags"], false);
  for (const Json& json : {swallowed, told})
    EXPECT_EQ(to_json(from_json<Finding>(Place(json, ""))), json);
  EXPECT_FALSE(to_json(golden::inaccuracy()).contains("silent"));
  Json spoiled = told;
  spoiled["consequence"] = "yes";
  EXPECT_THROW(from_json<Finding>(Place(spoiled, "")), base::UserError);
}

TEST(FindingJson, ArraysAreListsAndBecomeCellsAgain) {
  const Finding finding = golden::infinite_error_of_a_long_array();
  const Json json = to_json(finding);
  EXPECT_EQ(json["input"]["A"].size(), 32u);
  EXPECT_EQ(json["input"]["A"][3]["decimal"], "4");
  EXPECT_EQ(json["input"]["n"]["decimal"], "32");
  EXPECT_TRUE(json["input"]["b"].is_array());
  const Finding back = from_json<Finding>(Place(json, ""));
  ASSERT_EQ(back.input.size(), finding.input.size());
  for (size_t i = 0; i < back.input.size(); ++i)
    EXPECT_EQ(back.input[i].name, finding.input[i].name);
}

TEST(FindingJson, CellsThatAreNoWholeArrayKeepTheirNames) {
  Finding finding = golden::inaccuracy();
  const Number one{"1", "0x1p+0"};
  finding.input = {{"A[1]", one}, {"A[2]", one}, {"A", one}, {"A[0]", one}, {"p[0].x", one}, {"q[00]", one}};
  const Finding back = from_json<Finding>(Place(to_json(finding), ""));
  ASSERT_EQ(back.input.size(), finding.input.size());
  for (size_t i = 0; i < back.input.size(); ++i)
    EXPECT_EQ(back.input[i].name, finding.input[i].name);
}

TEST(FindingJson, InfinitiesAndNanSurvive) {
  Finding finding = golden::inaccuracy();
  finding.error = Error{INFINITY, -INFINITY, NAN, 1};
  const Json json = to_json(finding);
  EXPECT_GT(json["error"]["relative"].get<double>(), 1e308);
  const Finding back = from_json<Finding>(Place(json, ""));
  EXPECT_EQ(back.error->relative, INFINITY);
  EXPECT_EQ(back.error->absolute, -INFINITY);
  EXPECT_TRUE(std::isnan(back.error->ulps));
}

TEST(FindingJson, ACrashHasNoErrorAndNoOutput) {
  const Json json = to_json(golden::crash());
  EXPECT_FALSE(json.contains("error"));
  EXPECT_FALSE(json.contains("output"));
  EXPECT_FALSE(json.contains("cause"));
  EXPECT_EQ(json["detail"], "called abort");
}

TEST(FindingJson, BytesThatAreNotUtf8AreWritten) {
  Report report = golden::sample_report();
  report.targets[0].file = "caf\xE9.c";
  EXPECT_NO_THROW(parse_report(json_text(to_json(report)), "f.json"));
}

TEST(MalformedJson, TruncatedAnywhereIsRefused) {
  const std::string text = json_text(sample());
  for (size_t length = 0; length < text.size(); length += 7)
    EXPECT_NE(refusal(text.substr(0, length)), "accepted") << length;
}

TEST(MalformedJson, SaysWhere) {
  Json json = sample();
  json["targets"][0]["findings"][0]["kind"] = "sneeze";
  EXPECT_EQ(refusal(json), "f.json: targets[0].findings[0].kind: 'sneeze' is not a kind of finding");
  json = sample();
  json["targets"][0]["findings"][0]["input"]["x"]["hex"] = "1,5";
  EXPECT_EQ(refusal(json), "f.json: targets[0].findings[0].input.x.hex: '1,5' is not a number");
  json = sample();
  json["schema"] = 2;
  EXPECT_EQ(refusal(json), "f.json: schema: is 2; this version of Faultline reads 1");
  json = sample();
  json.erase("targets");
  EXPECT_EQ(refusal(json), "f.json: has no \"targets\"");
}

// Every value of the document, replaced by values of every other type: refused or accepted, but never a crash.
void mutate(Json& json, const Json& document) {
  for (auto& [key, value] : json.items()) {
    const Json old = value;
    for (const Json& wrong : {Json(), Json(true), Json(-1), Json(1e308), Json("x"), Json::array({1}), Json::object()}) {
      value = wrong;
      refusal(document);
    }
    value = old;
    if (value.is_structured())
      mutate(value, document);
  }
}
TEST(MalformedJson, WrongTypesAreRefused) {
  Json json = sample();
  mutate(json, json);
  for (const char* text :
       {"null", "[]", "3", "\"x\"", "{}", "{\"faultline\":1}", "{\"faultline\":\"1\",\"schema\":\"1\"}"})
    EXPECT_NE(refusal(std::string(text)), "accepted") << text;
}

TEST(MalformedJson, HugeNumbersAreRefused) {
  for (const char* line : {"1e999", "99999999999999999999999", "-1", "2147483648", "1.5"}) {
    std::string text = json_text(sample());
    const std::string old = "\"line\":3,";
    text.replace(text.find(old), old.size(), std::string("\"line\":") + line + ",");
    EXPECT_NE(refusal(text), "accepted") << line;
  }
}

TEST(MalformedJson, DeepNestingIsRefused) {
  EXPECT_EQ(refusal(R"({"command": )" + std::string(1'000'000, '[')), "f.json: is nested more than 64 deep");
  std::string objects;
  for (int i = 0; i < 100'000; ++i)
    objects += "{\"a\":";
  EXPECT_EQ(refusal(objects), "f.json: is nested more than 64 deep");
}

TEST(MalformedJson, BinaryIsRefused) {
  EXPECT_NE(refusal(std::string("\0\x01\xFF\xFE", 4)), "accepted");
  EXPECT_NE(refusal(std::string("{\"faultline\":\"\xFF\"}")), "accepted");
}

} // namespace
} // namespace faultline::model
