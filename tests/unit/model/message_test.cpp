#include "model/message.h"

#include "base/error.h"
#include "model/json/finding_json.h"
#include "model/json/json_place.h"
#include "one_of_each.h"

#include <gtest/gtest.h>

namespace faultline::model {
namespace {

TEST(Messages, ComeBackAsTheyWereSent) {
  std::set<size_t> kinds;
  for (const Message& message : messages_of_each_kind()) {
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
  for (const Message& message : messages_of_each_kind()) {
    if (std::holds_alternative<FindingMessage>(message))
      continue; // findings may leave out most of their fields: finding_json_test
    spoil(Json::parse(message_text(message)), Json::json_pointer(), [&](const Json& spoiled) {
      EXPECT_THROW(parse_message(spoiled.dump()), base::UserError) << spoiled.dump();
      ++refused;
    });
  }
  EXPECT_GT(refused, 100u);
}

TEST(Messages, OfNobodyAreRefused) {
  for (const char* text : {"", "{}", "[]", "null", "{\"finding\":7}", "{\"unheard\":1}", "{\"progress\":-1}",
                           "\"done\"", "{\"end\":1}", "{\"death\":{}}"})
    EXPECT_THROW(parse_message(text), base::UserError) << text;
}

TEST(Messages, OfAFailureHaveNoStatusOfSuccess) {
  for (const char* status : {"0", "1", "5", "256"})
    EXPECT_THROW(parse_message(R"({"error":{"status":)" + std::string(status) + R"(,"what":"","hint":""}})"),
                 base::UserError)
        << status;
  EXPECT_NO_THROW(parse_message(R"({"error":{"status":3,"what":"","hint":""}})"));
}

// They become text of a program.
TEST(Messages, HaveNumbersWhereNumbersBelong) {
  Json message =
      Json::parse(message_text(ExaminationResult{Expectation{0, {"1", "0x1p+0"}, {"2", "0x1p+1"}, 1, 1, 1}, ""}));
  EXPECT_NO_THROW(parse_message(message.dump()));
  message["expected"]["reference"][1] = "0); abort(); (";
  EXPECT_THROW(parse_message(message.dump()), base::UserError);
}

} // namespace
} // namespace faultline::model
