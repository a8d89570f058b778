#include "finding/message.h"

#include "../../golden/sample_report.h"
#include "finding/json/finding_json.h"
#include "finding/json/json_place.h"
#include "frontend/error.h"

#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace faultline::finding {
namespace {

using Json = nlohmann::ordered_json;

// One of each kind, with values that are easily lost: infinities, signed zeros, large integers, quotes.
std::vector<Message> one_of_each() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {SearchProgress{12, 3, 4},
          FindingMessage{FindingRole::found, golden::inaccuracy()},
          FindingMessage{FindingRole::sighted, golden::infinite_error_of_a_long_array()},
          FindingMessage{FindingRole::retried, golden::inaccuracy()},
          FindingMessage{FindingRole::judged, golden::inaccuracy()},
          FindingMessage{FindingRole::uncounted, golden::inaccuracy()},
          HuntDone{9, ~uint64_t(0), 0.25, 1, true, true, 5, "a \"note\""},
          Failure{3, "what", "hint"},
          WorkerDeath{true, 11, 2, true, false, {-0.0L, 0x1p-16445L}},
          JobEnd{true},
          Sentence{SentenceRole::outcome, "returned"},
          Sentence{SentenceRole::unknown, "nobody knows"},
          Sentence{SentenceRole::note, "a note"},
          RowMessage{{"f.c", 3, 4, "f", "fsub", "v4 = v2 - v3", {"1", "2"}, {infinity, 1}, "0", "1e-20", infinity, -1}},
          RowsDone{100, 7, true},
          ReplayResult{true, "seen"},
          PlotsMessage{{{{"x", {{"1", -3, infinity}}, {{"2", 4, 0.5}}}}, "note"}},
          Examined{Expectation{1, {"1", "0x1p+0"}, {"2", "0x1p+1"}, 3, 4, infinity}, ""},
          Examined{std::nullopt, "left out"},
          BranchMessage{5, -2, {1.5L}, {"f.c", "f", 1, 2, "cmp_olt", "<", "true", Standing::infeasible, "z3", "why", {}}},
          ExplorationDone{1, true, 2, 3, 4, 5, 6.5},
          RunMessage{1, "returned", true, {{3, -1}, {4, 1}}, {0.1L}}};
}

TEST(Messages, ComeBackAsTheyWereSent) {
  std::set<size_t> kinds;
  for (const Message& message : one_of_each()) {
    kinds.insert(message.index());
    const std::string text = message_text(message);
    EXPECT_EQ(text.find('\n'), std::string::npos) << "a message is a line: " << text;
    const Message again = parse_message(text);
    EXPECT_EQ(again.index(), message.index()) << text;
    EXPECT_EQ(message_text(again), text);
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<Message>) << "a kind of message is not tried";
}

// Every field, taken away or of another type, one at a time.
void spoil(const Json& whole, const Json::json_pointer& place, const std::function<void(const Json&)>& on_spoiled) {
  const Json& here = whole[place];
  if (here.is_object())
    for (const auto& [key, value] : here.items()) {
      Json without = whole;
      without[place].erase(key);
      on_spoiled(without);
      Json wrong = whole;
      wrong[place / key] = value.is_array() ? Json("text") : Json(Json::array({1}));
      on_spoiled(wrong);
      spoil(whole, place / key, on_spoiled);
    }
}

TEST(Messages, WithAMissingOrWrongFieldAreRefusedAndNothingElseHappens) {
  size_t refused = 0;
  for (const Message& message : one_of_each()) {
    if (std::holds_alternative<FindingMessage>(message))
      continue; // findings may leave out most of their fields: finding_json_test
    spoil(Json::parse(message_text(message)), Json::json_pointer(), [&](const Json& spoiled) {
      EXPECT_THROW(parse_message(spoiled.dump()), frontend::UserError) << spoiled.dump();
      ++refused;
    });
  }
  EXPECT_GT(refused, 100u);
}

TEST(Messages, OfNobodyAreRefused) {
  for (const char* text : {"", "{}", "[]", "null", "{\"finding\":7}", "{\"unheard\":1}", "{\"progress\":-1}", "\"done\"",
                           "{\"end\":1}", "{\"death\":{}}"})
    EXPECT_THROW(parse_message(text), frontend::UserError) << text;
}

} // namespace
} // namespace faultline::finding
